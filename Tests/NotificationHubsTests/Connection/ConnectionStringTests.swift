import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct ConnectionStringTests {
    @Test("The connection string from the portal is read")
    func connectionStringFromThePortalIsRead() throws {
        let parsed = try ConnectionString(parsing: Secret.connectionString)

        #expect(parsed.endpoint.origin == "https://contoso.servicebus.windows.net")
        #expect(parsed.keyName == "DefaultFullSharedAccessSignature")
        #expect(parsed.key.bytes == Array(Secret.key.utf8))
        #expect(parsed.hubName == nil)
    }

    @Test("Parts can have any order and case, and unknown parts are ignored")
    func partsCanHaveAnyOrderAndCaseAndUnknownPartsAreIgnored() throws {
        let parsed = try ConnectionString(
            parsing:
                "entitypath=news;SHAREDACCESSKEY=a=b==;Later=1;Later=;sharedaccesskeyname= Send ;endpoint=sb://h/;\n"
        )

        #expect(parsed.hubName?.rawValue == "news")
        #expect(parsed.key.bytes == Array("a=b==".utf8))
        #expect(parsed.keyName == "Send")
        #expect(parsed.endpoint.origin == "https://h")
    }

    @Test(
        "Surrounding blanks and invisible characters are ignored",
        arguments: [
            "\u{FEFF}%", "%\r\n", " \t%;;", "%; ;\n", ";%", "\u{A0}%\u{200B}", "%;;Later=1;;",
        ])
    func surroundingBlanksAndInvisibleCharactersAreIgnored(form: String) throws {
        let text = "Endpoint=sb://h/;SharedAccessKeyName=n;;SharedAccessKey=a=b=="
        let parsed = try ConnectionString(parsing: form.replacing("%", with: text))
        #expect(parsed.key.bytes == Array("a=b==".utf8))
        #expect(parsed.keyName == "n")
        #expect(parsed.endpoint.origin == "https://h")
    }

    @Test(
        "An endpoint is converted to the origin of a URL",
        arguments: [
            ("sb://h.example", "https://h.example"), ("sb://h.example/", "https://h.example"),
            ("SB://H.example/", "https://H.example"), ("https://h:8443/", "https://h:8443"),
            ("sb://127.0.0.1:5001/", "https://127.0.0.1:5001"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://127.255.0.9/", "http://127.255.0.9"),
            ("http://localhost:1/", "http://localhost:1"),
            ("http://[::1]:65535/", "http://[::1]:65535"),
        ])
    func endpointIsConvertedToTheOriginOfAURL(text: String, origin: String) throws {
        #expect(try HubEndpoint(parsing: text).origin == origin)
    }

    @Test(
        "An invalid endpoint is refused",
        arguments: [
            ("", ConnectionStringError.endpointWithoutScheme),
            ("h.example", .endpointWithoutScheme),
            ("ftp://h/", .unknownScheme), ("http://h.example/", .plainHTTP),
            ("http://127.0.0.1.example/", .plainHTTP), ("http://127.1/", .plainHTTP),
            ("http://127.0.0.01/", .plainHTTP), ("http://128.0.0.1/", .plainHTTP),
            ("http://[::2]/", .plainHTTP), ("http://0.0.0.0/", .plainHTTP),
            ("sb://user@h/", .userInformation), ("sb://user:word@h/", .userInformation),
            ("sb://h/hub", .path), ("sb://h//", .path), ("sb://h\\@x", .userInformation),
            ("sb://h/?a=b", .query), ("sb://h#x", .query),
            ("sb://", .invalidHost), ("sb:///", .invalidHost), ("sb://a b/", .invalidHost),
            ("sb://a..b/", .invalidHost), ("sb://-a/", .invalidHost), ("sb://ä/", .invalidHost),
            ("sb://[::1/", .invalidHost), ("sb://[::g]/", .invalidHost),
            ("sb://[::1]x/", .invalidHost),
            ("sb://a%2fb/", .invalidHost), ("sb://h:/", .invalidPort), ("sb://h:0/", .invalidPort),
            ("sb://h:65536/", .invalidPort), ("sb://h:8a/", .invalidPort),
            ("sb://h:+8/", .invalidPort),
            ("sb://h:1:2/", .invalidPort),
        ])
    func invalidEndpointIsRefused(text: String, error: ConnectionStringError) {
        #expect(throws: error) { try HubEndpoint(parsing: text) }
    }

    @Test(
        "An invalid connection string is refused",
        arguments: [
            ("", ConnectionStringError.empty), (" \n", .empty), (";", .missingPart(.endpoint)),
            ("Endpoint=sb://h/;SharedAccessKeyName=n", .missingPart(.key)),
            ("Endpoint=sb://h/;SharedAccessKey=k", .missingPart(.keyName)),
            ("SharedAccessKeyName=n;SharedAccessKey=k", .missingPart(.endpoint)),
            ("Endpoint=;SharedAccessKeyName=n;SharedAccessKey=k", .emptyPart(.endpoint)),
            ("Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey= ", .emptyPart(.key)),
            ("Endpoint=sb://h/;endpoint=sb://h/;SharedAccessKeyName=n", .duplicatePart(.endpoint)),
            ("Endpoint=sb://h/;SharedAccessKeyName", .malformedPart),
            ("Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k\nx", .controlCharacters),
            ("Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k\u{0}x", .controlCharacters),
            (
                "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k\u{200B}x",
                .controlCharacters
            ),
            ("Endpoint=sb://h/;SharedAccessKeyName=n\u{A0}m;SharedAccessKey=k", .controlCharacters),
            (#""Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k""#, .quoted),
            ("'Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k'\n", .quoted),
            ("Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=\u{201C}k\u{201D}", .quoted),
            ("NAME=Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k", .assignment),
            (
                #"export NAME="Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k""#,
                .assignment
            ),
            ("connection_string: Endpoint=sb://h/;SharedAccessKeyName=n", .assignment),
            ("NAME=SharedAccessKey=k;SharedAccessKeyName=n;Endpoint=sb://h/", .assignment),
            (
                "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=k;EntityPath=a/b",
                .invalidHubName
            ),
        ])
    func invalidConnectionStringIsRefused(text: String, error: ConnectionStringError) {
        #expect(throws: error) { try ConnectionString(parsing: text) }
    }

    @Test("Parts and strings over the limit are refused")
    func partsAndStringsOverTheLimitAreRefused() {
        let long = String(repeating: "k", count: 257)
        #expect(throws: ConnectionStringError.partTooLong(.key)) {
            try ConnectionString(
                parsing: "Endpoint=sb://h/;SharedAccessKeyName=n;SharedAccessKey=\(long)")
        }
        #expect(throws: ConnectionStringError.partTooLong(.keyName)) {
            try ConnectionString(
                parsing: "Endpoint=sb://h/;SharedAccessKeyName=\(long);SharedAccessKey=k")
        }
        #expect(throws: ConnectionStringError.tooLong) {
            try ConnectionString(parsing: String(repeating: "a=b;", count: 1_025))
        }
    }

    @Test("No error repeats the key") func noErrorRepeatsTheKey() throws {
        let broken = [
            Secret.key, "Endpoint=\(Secret.key)", "Endpoint=sb://\(Secret.key)/",
            "Endpoint=sb://h:\(Secret.key)/;SharedAccessKeyName=n;SharedAccessKey=k",
            "SharedAccessKey=\(Secret.key);SharedAccessKey=\(Secret.key)",
            "\(Secret.connectionString);EntityPath=\(Secret.key)/",
            "\(Secret.connectionString);\(Secret.key.dropLast())",
            "\"\(Secret.connectionString)\"", "NAME=\(Secret.connectionString)",
        ]
        for text in broken {
            let error = #expect(throws: ConnectionStringError.self) {
                try ConnectionString(parsing: text)
            }
            for text in Secret.texts(of: try #require(error)) { #expect(!Secret.isIn(text)) }
        }
    }
}
