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


def wrong_with(exercise, case, outcome):
    """What a check says of an outcome; None where it is right."""
    return exercise.wrong_with(case, exercise.reference(*case.arguments), outcome)


def picture_of(exercise, case, outcome):
    """The picture of a case with its outcome."""
    return exercise.drawn(case, exercise.reference(*case.arguments), outcome)
