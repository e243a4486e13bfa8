"""Random faults under a mixed load in three set-ups. The short form makes two faults in each; tests/faults makes as many as you
like."""
import json
import random
import time

from economy_load import busy_catalogue
from fault_places import Clustered, OneMachine, Shared
from faults import Faults
from harness import SEED, Case, TempDir, main
from mixed_load import MixedLoad


class FaultCase(Case):
    def run_faults(self, place_class, seed, kinds, longest_s, tell=print):
        """`kinds`: (kind, seconds or None); a kind of None is a random one. Returns a line for each fault."""
        rng = random.Random(seed)
        directory = TempDir()
        self.addCleanup(directory.remove)
        game = directory / "game.json"
        game.write_text(json.dumps(busy_catalogue()))
        place = place_class(game)
        place.start(self)
        load = MixedLoad(self, place, seed)
        self.addCleanup(load.stop)
        faults = Faults(self, place, load, rng, longest_s)
        load.start()
        for kind, seconds in kinds:
            began = time.monotonic()
            possible = faults.kinds()
            kind = kind or rng.choices(list(possible), possible.values())[0]
            detail = faults.happen(kind, seconds)
            tell(f"{place.name}: {kind} {detail or ''} ({time.monotonic() - began:.0f} s), {load.decided} decided, "
                 f"{load.unknown} attempts with an unknown outcome", flush=True)
        load.stop()
        checked = load.check()
        faults.assert_verified()
        tell(f"{place.name}: {checked}", flush=True)


class Short(FaultCase):
    def test_one_machine(self):
        self.run_faults(OneMachine, SEED, [(None, None), ("flush", None)], 3)

    def test_two_servers(self):
        self.run_faults(Shared, SEED, [(None, None), ("put_older_back", None)], 3)

    def test_a_cluster(self):
        self.run_faults(Clustered, SEED, [(None, None), ("kill_redis", None)], 3)


if __name__ == "__main__":
    main()
