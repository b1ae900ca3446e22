"""Functions of the library itself, checked as if a learner had written them."""

from stridekit_course.checks.calling import Local


class OneOfOurs(Local):
    """A function of ours: what it calls, and that it stands in stridekit, is nothing against it."""

    def read(self):
        """Nothing is forbidden in it."""
        return ()

    def run(self, cases, _watch, *, closely=False):
        """Nothing that it calls is forbidden either."""
        return super().run(cases, "nothing", closely=closely)
