import PostgreSQLClient
import TestSupport
import Testing

@Suite(.bounded) struct AddressTests {
    @Test(arguments: [
        "postgresql://anna:s3cr%40t@db.example:5433/push?sslpassword=k3y&sslmode=require",
        "postgres://anna@db.example:5433/push?password=s3cr%40t&sslpassword=k3y&sslmode=require",
    ])
    func anAddressIsShownWithoutItsPasswords(text: String) throws {
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

    @Test(arguments: [
        ("postgresql://", "postgresql://"),
        ("postgresql:///push?host=/run/pg&user=anna", "postgresql://anna@/push?host=/run/pg"),
        (
            "postgresql://one:1,two:2/push?target_session_attrs=read-write",
            "postgresql:///push?host=one,two&port=1,2&target_session_attrs=read-write"
        ),
        ("postgresql://[::1]:5432/a%0Ab", "postgresql:///a%0Ab?host=::1&port=5432"),
    ])
    func anAddressWithoutAPasswordIsShownAsItWasMeant(text: String, shown: String) throws {
        let address = try PostgreSQLAddress(text)

        #expect(address.description == shown)
        #expect(!address.hasPassword)
    }

    @Test func aLongAddressIsCut() throws {
        let address = try PostgreSQLAddress(
            "postgresql://host/" + String(repeating: "a", count: 1_000))

        #expect(address.description.count == 300)
    }

    @Test(arguments: [
        // A password that ends the host, the port or the database in the wrong place.
        "postgresql://anna:s3cret/x@host/push", "postgresql://anna:12/s3cret@host/push",
        "postgresql://anna:p@s3cret@host/push", "postgresql://anna:s3cret?x@host/push",
        "postgresql://anna:12/a?s3cret=b@host", "postgresql://anna:s3cret/x",
        // Those that libpq itself complains about, and quotes.
        "postgresql://anna:s3cret%zz@host/push", "postgresql://host/push?password=a&s3cret",
        "postgresql://host/push?password=a&s3cret=b", "postgresql://anna:s3cret@[host/push",
        "postgresql://anna:p@word?s3cret=b",
        "host=host password=s3cret",
    ])
    func aMistakeInAnAddressDoesNotShowAPassword(text: String) throws {
        let fault = #expect(throws: PostgreSQLAddressFault.self) {
            try PostgreSQLAddress(text)
        }

        #expect(try !"\(#require(fault))".contains("s3cret"))
    }

    @Test(arguments: ["postgresql://host/push", "postgresql://anna@host/push"])
    func aParameterThatIsUnknownIsNamed(address: String) {
        #expect(throws: PostgreSQLAddressFault.malformed(unknownParameter: "sslmoode")) {
            try PostgreSQLAddress(address + "?sslmoode=require")
        }
    }
}
