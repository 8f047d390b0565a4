import Storage
import TestSupport
import Testing

@testable import App

/// Tests the messages that are logged while runs wait for a store on a server.
@Suite(.bounded) struct StoreOutageTests {
    @Test("The log says when the store is unreachable and when it is back")
    func logSaysWhenTheStoreIsUnreachableAndWhenItIsBack() throws {
        let lines = LogLines()
        var options = StoreOptions()
        options.logOutages(to: lines.logger)
        options.storeAway(.connectionLost(.server("postgresql:///a")), .seconds(30))
        options.storeBack()
        try #require(lines.all.count == 2)
        #expect(
            lines.all[0].hasPrefix(
                "The store is not answering; runs wait for it and continue when it does "))
        #expect(lines.all[0].contains("patience=30 s"))
        #expect(lines.all[0].contains("postgresql:///a"))
        #expect(lines.all[1].hasPrefix("The store is answering again; runs continue"))
    }
}
