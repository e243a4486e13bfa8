export const text = `a "quoted" ${"text"} with a \\ and )larder"`;
