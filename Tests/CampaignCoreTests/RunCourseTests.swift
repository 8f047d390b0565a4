import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct RunCourseTests {
    @Test(
        "The shortest step that does not produce too many steps is chosen",
        arguments: [
            // The first and last second, the maximum number of steps, and the length of a step.
            (0, 0, 2, 1), (0, 59, 60, 1), (0, 60, 60, 2), (1, 119, 60, 2), (0, 3_599, 60, 60),
            (0, 86_399, 60, 1_800), (0, 59 * 86_400, 60, 86_400), (0, 60 * 86_400, 60, 172_800),
            (-1, 0, 1, 1), (-86_400 * 9, 86_400 * 9, 1, 86_400 * 16),
        ])
    func shortestStepThatDoesNotProduceTooManyStepsIsChosen(
        first: Int, last: Int, most: Int, length: Int
    ) {
        #expect(RunCourse.length(from: first, through: last, steps: most) == length)
    }

    @Test(
        "Each second belongs to exactly one step",
        arguments: [
            (0, 10, 0), (9, 10, 0), (10, 10, 1), (-1, 10, -1), (-10, 10, -1), (-11, 10, -2),
        ])
    func eachSecondBelongsToExactlyOneStep(second: Int, length: Int, step: Int) {
        #expect(RunCourse.step(of: second, length: length) == step)
    }
}
