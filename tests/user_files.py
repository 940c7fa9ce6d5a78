"""What tests of the files that users write by hand share."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from generator.strict_yaml import UserFileError


def assert_faults(read: Callable[[Path], object], path: Path, text: str | bytes, faults: Sequence[str]) -> None:
    """Assert that reading a file with this text raises just these faults, each given by a part of its message."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserFileError) as raised:
        read(path)
    found = [str(fault) for fault in raised.value.faults]
    assert len(found) == len(faults), found
    assert all(expected in fault for fault, expected in zip(found, faults, strict=True)), found
    assert str(path) in str(raised.value)
    assert all(fault in str(raised.value) for fault in found)
    assert raised.value.exit_code == 2
