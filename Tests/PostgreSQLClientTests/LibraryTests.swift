import TestSupport
import Testing

@testable import PostgreSQLClient

@Suite(.bounded) struct LibraryTests {
    @Test("If libpq is missing, the message names its package")
    func ifLibpqIsMissingTheMessageNamesItsPackage() throws {
        let problem = try #require(PostgreSQLLibrary.load("libpq-of-nobody.so.5"))

        #expect(
            problem.description == """
                PostgreSQL's client library, libpq, cannot be loaded (libpq-of-nobody.so.5: cannot open shared object file: No such \
                file or directory). Install the package that contains it, such as libpq5 on \
                Debian and Ubuntu.
                """)
        #expect(PostgreSQLAddressError.noLibrary(problem).description == problem.description)
    }

    @Test("Another library is not mistaken for libpq")
    func anotherLibraryIsNotMistakenForLibpq() throws {
        let problem = try #require(PostgreSQLLibrary.load("libc.so.6"))

        #expect(problem.description.contains("undefined symbol: PQ"))
        // The library that was loaded before still works.
        #expect(try PostgreSQLAddress("postgresql://host/push").description.hasSuffix("/push"))
    }

    @Test("The reported version is that of the installed library")
    func reportedVersionIsThatOfTheInstalledLibrary() throws {
        let version = try PostgreSQLLibrary.version

        #expect(version.wholeMatch(of: /\d+\.\d+/) != nil)
        #expect(try #require(Int(version.prefix { $0 != "." })) >= 13)
    }
}
