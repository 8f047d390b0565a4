import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite(.bounded) struct LibraryTests {
    @Test func whereTheLibraryIsMissingASentenceNamesThePackageThatHasIt() throws {
        let fault = try #require(PostgreSQLLibrary.load("libpq-of-nobody.so.5"))

        #expect(
            fault.description == """
                PostgreSQL's client library, libpq, cannot be loaded (libpq-of-nobody.so.5: cannot open shared object file: No such \
                file or directory). Install the package that has it: on Debian and Ubuntu, libpq5.
                """)
        #expect(PostgreSQLAddressFault.noLibrary(fault).description == fault.description)
    }

    @Test func aLibraryOfAnotherKindIsNotTakenForIt() throws {
        let fault = try #require(PostgreSQLLibrary.load("libc.so.6"))

        #expect(fault.description.contains("undefined symbol: PQ"))
        // What was loaded before is still there.
        #expect(try PostgreSQLAddress("postgresql://host/push").description.hasSuffix("/push"))
    }

    @Test func theVersionIsThatOfTheLibraryOnThisMachine() throws {
        let version = try PostgreSQLLibrary.version

        #expect(version.wholeMatch(of: /\d+\.\d+/) != nil)
        #expect(try #require(Int(version.prefix { $0 != "." })) >= 13)
    }
}
