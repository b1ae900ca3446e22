"""What nbgrader's zip_collect is given in place of its own parts.

It unpacks only what `archives` found to be safe, and takes only what was found to be somebody's.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from stridekit.grading.archives import Archive, Member, Places


class Extractor(ExtractorPlugin):  # type: ignore[misc]
    """Unpacks notebooks under the names that the platform gave them."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack all archives. See ExtractorPlugin."""
        places = Places(Path(extracted_path))
        self.archives = [Archive(path) for path in sorted(Path(archive_path).glob("*.zip"))]
        self.unpacked: list[tuple[Member, Path]] = []
        self.damaged: list[str] = []
        for archive in self.archives:
            for member, content in archive.read():
                if content is None:
                    self.damaged.append(member.name)
                    continue
                path = places.of(archive.path.stem, member.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                self.unpacked.append((member, path))


class Collector(FileNameCollectorPlugin):  # type: ignore[misc]
    """Knows whose each file is, and which notebook."""

    def choose(self, chosen: dict[Path, tuple[str, str, datetime | None]]) -> None:
        """What is to be collected: the learner, the notebook, and when it was handed in (UTC)."""
        self._chosen = {os.path.realpath(path): what for path, what in chosen.items()}

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """Whose it is, or None. See FileNameCollectorPlugin."""
        what = self._chosen.get(os.path.realpath(submitted_file))
        if what is None:
            return None
        learner, notebook, time = what
        said = {"student_id": learner, "file_id": f"{notebook}.ipynb"}
        return said if time is None else {**said, "timestamp": f"{time:%Y-%m-%d %H:%M:%S}"}
