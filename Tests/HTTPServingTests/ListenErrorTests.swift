import Glibc
import HTTPServing
import NIOCore
import TestSupport
import Testing

@Suite(.bounded) struct ListenErrorTests {
    private struct Other: Error {}

    @Test(
        "Each error of the system while listening is explained with advice",
        arguments: [
            (EADDRINUSE, .portInUse, "another address or port"),
            (EADDRNOTAVAIL, .refused(errorNumber: EADDRNOTAVAIL), "an address of this machine"),
            (EACCES, .refused(errorNumber: EACCES), "port 1024 or higher"),
            (EIO, .refused(errorNumber: EIO), "another address or port"),
        ] as [(Int32, ListenError, String)])
    func eachErrorOfTheSystemWhileListeningIsExplainedWithAdvice(
        number: Int32, problem: ListenError, advice: String
    ) {
        let read = ListenError(IOError(errnoCode: number, reason: "bind"))
        #expect(read == problem)
        #expect(read?.advice.contains(advice) == true)
    }

    @Test("Other errors are not treated as listen errors")
    func otherErrorsAreNotTreatedAsListenErrors() {
        #expect(ListenError(Other()) == nil)
        #expect(ListenError(ChannelError.eof) == nil)
    }
}
