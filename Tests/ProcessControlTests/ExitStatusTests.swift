import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct ExitStatusTests {
    /// The testing library has a type of that name too.
    private typealias Status = ProcessControl.ExitStatus

    @Test func ofSeveralCampaignsTheGravestCounts() {
        let cases: [(codes: [Status], code: Status)] = [
            ([], .done), ([.done, .troubled], .troubled), ([.troubled, .faults], .faults),
            ([.tryAgain, .stopped, .faults], .tryAgain),
            ([.configuration, .tryAgain], .configuration),
            ([.credentials, .interrupted, .done], .interrupted), ([.terminated, .bug], .bug),
        ]
        for (codes, code) in cases {
            #expect(Status.combining(codes) == code)
            #expect(Status.combining(codes.reversed()) == code)
        }
    }

    @Test func whatWasInterruptedEndsWithTheSignalsCode() {
        #expect(Status.interrupted.rawValue == 130)
        #expect(Status.terminated.rawValue == 143)
    }
}
