"""The web pages. Their bytes change with every build of web/, so only status and headers are recorded."""
import re

from exchange import NOBODY

PAGES = {"the start page": "/", "the game": "/play", "the icon": "/icon.svg"}


def play_web(play):
    script = re.search(r'src="/assets/([^"]+)"', play.client.get("/play").raw.decode())[1]
    play.normaliser.capture("script", script)
    for title, path in {**PAGES, "a script": f"/assets/{script}"}.items():
        tag = play.client.get(path).headers["ETag"].strip('"')
        for form in ("", "-gzip", "-br"):
            play.normaliser.capture(f'"hash of {title}{form}"', f'"{tag}{form}"')
        play.get(f"asks for {title}", path, key=NOBODY, digest=lambda _: "<the file>")
        play.get(f"asks for {title} again", path, key=NOBODY, headers={"If-None-Match": f'"{tag}"'})
        play.get(f"asks for {title} as brotli", path, key=NOBODY, headers={"Accept-Encoding": "gzip, br"})
    play.get("asks for a page with a token that is wrong", "/play", headers={"Authorization": "Bearer x"}, digest=lambda _: "<the file>")
    for path in ("/play/", "/index.html", "/assets/", "/assets/none.js", "/assets/a%00.js", "/assets/../index.html", "/favicon.ico"):
        play.get(f"asks for {path}", path, key=NOBODY)
    play.get("asks for the brotli form of a script by name", f"/assets/{script}.br", key=NOBODY)
    play.post("posts to a page", "/play", {}, key=NOBODY)
