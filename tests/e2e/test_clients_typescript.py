"""The sample bot in TypeScript makes 1000 moves while its server is killed and answers get lost."""
import os
import subprocess

from harness import ROOT, main
from sample_bots import SampleBotCase

BOT = ROOT / "examples/typescript-bot"


class TypeScript(SampleBotCase):
    def test_a_thousand_moves_through_kills_are_each_made_once(self):
        tsc = BOT / "node_modules/typescript/bin/tsc"
        self.assertTrue(tsc.exists(), "run tools/setup test first")
        done = subprocess.run(["node", tsc, "-p", BOT], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.rehearse(["node", BOT / "dist/rehearsal.js"], env=dict(os.environ))


if __name__ == "__main__":
    main()
