import PostgreSQLClient
import TestSupport
import Testing

@Suite(.bounded) struct AddressTests {
    @Test(
        "An address is shown without its passwords",
        arguments: [
            "postgresql://anna:s3cr%40t@db.example:5433/push?sslpassword=k3y&sslmode=require",
            "postgres://anna@db.example:5433/push?password=s3cr%40t&sslpassword=k3y&sslmode=require",
        ])
    func addressIsShownWithoutItsPasswords(text: String) throws {
        let address = try PostgreSQLAddress(text)

        #expect("\(address)" == "postgresql://anna@db.example:5433/push?sslmode=require")
        #expect(address.hasPassword)
        #expect(address.text == text)
        var dumped = ""
        dump([address], to: &dumped)
        for shown in [dumped, String(reflecting: address), "\([address])"] {
            #expect(!shown.contains("s3cr"))
            #expect(!shown.contains("k3y"))
        }
    }

    @Test(
        "An address without a password is shown in full",
        arguments: [
            ("postgresql://", "postgresql://"),
            ("postgresql:///push?host=/run/pg&user=anna", "postgresql://anna@/push?host=/run/pg"),
            (
                "postgresql://one:1,two:2/push?target_session_attrs=read-write",
                "postgresql:///push?host=one,two&port=1,2&target_session_attrs=read-write"
            ),
            ("postgresql://[::1]:5432/a%0Ab", "postgresql:///a%0Ab?host=::1&port=5432"),
        ])
    func addressWithoutAPasswordIsShownInFull(text: String, shown: String) throws {
        let address = try PostgreSQLAddress(text)

        #expect(address.description == shown)
        #expect(!address.hasPassword)
    }

    @Test("A long address is shortened") func longAddressIsShortened() throws {
        let address = try PostgreSQLAddress(
            "postgresql://host/" + String(repeating: "a", count: 1_000))

        #expect(address.description.count == 300)
    }

    @Test(
        "The message about a malformed address shows no password",
        arguments: [
            // A password that makes the host, port or database end in the wrong place.
            "postgresql://anna:s3cret/x@host/push", "postgresql://anna:12/s3cret@host/push",
            "postgresql://anna:p@s3cret@host/push", "postgresql://anna:s3cret?x@host/push",
            "postgresql://anna:12/a?s3cret=b@host", "postgresql://anna:s3cret/x",
            // Addresses that libpq itself rejects and quotes.
            "postgresql://anna:s3cret%zz@host/push", "postgresql://host/push?password=a&s3cret",
            "postgresql://host/push?password=a&s3cret=b", "postgresql://anna:s3cret@[host/push",
            "postgresql://anna:p@word?s3cret=b",
            "host=host password=s3cret",
        ])
    func messageAboutAMalformedAddressShowsNoPassword(text: String) throws {
        let error = #expect(throws: PostgreSQLAddressError.self) {
            try PostgreSQLAddress(text)
        }

        #expect(try !"\(#require(error))".contains("s3cret"))
    }

    @Test(
        "The error about an unknown parameter names it",
        arguments: ["postgresql://host/push", "postgresql://anna@host/push"])
    func errorAboutAnUnknownParameterNamesIt(address: String) {
        #expect(throws: PostgreSQLAddressError.malformed(unknownParameter: "sslmoode")) {
            try PostgreSQLAddress(address + "?sslmoode=require")
        }
    }
}
