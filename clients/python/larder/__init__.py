"""A client of Larder: requests that are retried safely, events, and forwarding from discord.py. See README.md."""
from .aio import AsyncLarder
from .errors import LarderError, Refusal, Unavailable
from .forward import Forwarder
from .sse import Event, Gap
from .sync import Larder

__all__ = ["AsyncLarder", "Event", "Forwarder", "Gap", "Larder", "LarderError", "Refusal", "Unavailable"]
