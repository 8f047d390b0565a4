import Glibc
import HTTPServing
import NIOCore
import TestSupport
import Testing

@Suite(.bounded) struct ListenFaultTests {
    private struct Other: Error {}

    @Test(
        arguments: [
            (EADDRINUSE, .portInUse, "another address or port"),
            (EADDRNOTAVAIL, .refused(errorNumber: EADDRNOTAVAIL), "an address of this machine"),
            (EACCES, .refused(errorNumber: EACCES), "a port from 1024"),
            (EIO, .refused(errorNumber: EIO), "another address or port"),
        ] as [(Int32, ListenFault, String)])
    func whatTheSystemSaysComesWithAdvice(number: Int32, fault: ListenFault, advice: String) {
        let read = ListenFault(IOError(errnoCode: number, reason: "bind"))
        #expect(read == fault)
        #expect(read?.advice.contains(advice) == true)
    }

    @Test func anotherErrorIsNoneOfListening() {
        #expect(ListenFault(Other()) == nil)
        #expect(ListenFault(ChannelError.eof) == nil)
    }
}
