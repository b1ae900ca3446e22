"""A diagram of a change whose elements travel to where they come to lie."""

from functools import cached_property

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.pages.motion import Mover, movers_of
from stridekit.diagrams.renderers.motion import in_motion
from stridekit.diagrams.renderers.themes import Theme
from stridekit.diagrams.scenes.scene import Scene
from stridekit.diagrams.scenes.travels import travels_note


class MovingDiagram(Diagram):
    """A diagram whose SVG moves, once; figure, files other than SVG, and text show the end.

    >>> t = sk.arange(6).view(2, 3).t()
    >>> moving = sk.draw_change(t, lambda t: t.contiguous(), motion=True)
    >>> moving.svg().count('class="travel"')
    6
    """

    def __init__(self, scene: Scene) -> None:
        note = travels_note(scene)
        if note:
            scene = scene._replace(notes=(*scene.notes, note), alt=f"{scene.alt} {note}")
        super().__init__(scene)

    @cached_property
    def _movers(self) -> list[Mover]:
        return movers_of(self.scene, self._page)

    def svg(self, theme: Theme = "light") -> str:
        """The diagram as SVG that plays by itself, and is whole without. Raises as a Diagram's."""
        return in_motion(super().svg(theme), self._movers, theme)
