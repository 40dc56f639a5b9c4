import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_the_lessons_are_what_their_scripts_say() -> None:
    """Each script is played on the rules again: a lesson that teaches something false cannot be current."""
    command = [sys.executable, str(WEB / "lessons.py"), "--check"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
