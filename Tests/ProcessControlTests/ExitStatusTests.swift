import TestSupport
import Testing

@testable import ProcessControl

/// The codes by which scripts tell how a command ended.
@Suite(.bounded) struct ExitStatusTests {
    @Test(
        arguments: [
            ([], .done), ([.done, .troubled], .troubled), ([.troubled, .faults], .faults),
            ([.tryAgain, .stopped, .faults], .tryAgain),
            ([.configuration, .tryAgain], .configuration),
            ([.credentials, .interrupted, .done], .interrupted), ([.terminated, .bug], .bug),
        ] as [([ExitStatus], ExitStatus)])
    func ofSeveralCampaignsTheGravestCounts(codes: [ExitStatus], code: ExitStatus) {
        #expect(ExitStatus.combining(codes) == code)
        #expect(ExitStatus.combining(codes.reversed()) == code)
    }

    @Test func whatWasInterruptedEndsWithTheSignalsCode() {
        #expect(ExitStatus.interrupted.rawValue == 130)
        #expect(ExitStatus.terminated.rawValue == 143)
        #expect(ExitStatus.interrupted.after(.terminated) == .terminated)
        #expect(ExitStatus.interrupted.after(nil) == .interrupted)
        #expect(ExitStatus.done.after(.terminated) == .done)
    }
}
