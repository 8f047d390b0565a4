import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct ExitStatusTests {
    /// The testing library also has a type of that name.
    private typealias Status = ProcessControl.ExitStatus

    @Test("The most serious exit code of several campaigns is used")
    func mostSeriousExitCodeOfSeveralCampaignsIsUsed() {
        let cases: [(codes: [Status], code: Status)] = [
            ([], .done), ([.done, .troubled], .troubled), ([.troubled, .findings], .findings),
            ([.tryAgain, .stopped, .findings], .tryAgain),
            ([.configuration, .tryAgain], .configuration),
            ([.credentials, .interrupted, .done], .interrupted), ([.terminated, .bug], .bug),
        ]
        for (codes, code) in cases {
            #expect(Status.combining(codes) == code)
            #expect(Status.combining(codes.reversed()) == code)
        }
    }

    @Test("An interrupted command exits with the code of its signal")
    func interruptedCommandExitsWithTheCodeOfItsSignal() {
        #expect(Status.interrupted.rawValue == 130)
        #expect(Status.terminated.rawValue == 143)
    }
}
