import CLibPQ

/// The URI of a server, as documented for libpq (PostgreSQL documentation, 34.1.1 to 34.17).
///
/// libpq takes missing parts from its variables, service files and password files.
package struct PostgreSQLAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The URI as given, which may contain a password.
    package let text: String
    /// The URI without secrets, limited to 300 characters.
    package let description: String
    /// Whether the URI contains a password, which a process list or file would reveal.
    package let hasPassword: Bool
    /// Whether the URI itself contains an `sslmode`.
    let setsTLSMode: Bool

    /// Reads a URI that begins with `postgresql://` or `postgres://`.
    package init(_ text: String) throws(PostgreSQLAddressError) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
            throw .noURI
        }
        try Self.checkReservedCharacters(text)
        let parameters = try Self.parameters(of: text)
        for parameter in parameters where parameter.name == "port" {
            let ports = parameter.value.split(separator: ",")
            guard ports.allSatisfy({ (UInt16($0) ?? 0) > 0 }) else { throw .port }
        }
        self.text = text
        description = Self.description(of: parameters)
        hasPassword = parameters.contains { ["password", "sslpassword"].contains($0.name) }
        setsTLSMode = parameters.contains { $0.name == "sslmode" }
    }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    /// Refuses characters that would turn part of a password into a host, port or database.
    private static func checkReservedCharacters(_ text: String) throws(PostgreSQLAddressError) {
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
            throw .malformed(unknownParameter: nil)
        }
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        let credentials = rest.prefix { $0 != "/" && $0 != "?" }
        guard rest.count(where: { $0 == "@" }) == credentials.count(where: { $0 == "@" }),
            credentials.count(where: { $0 == "@" }) <= 1
        else { throw .reservedCharacter }
    }

    /// The parsed parameters, without default values.
    private static func parameters(
        of text: String
    ) throws(PostgreSQLAddressError) -> [ConnectionParameter] {
        do {
            try PostgreSQLLibrary.require()
        } catch {
            throw .noLibrary(error)
        }
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &complaint) else {
            defer { unsafe PQfreemem(complaint) }
            let words = unsafe complaint.map { unsafe String(cString: $0) } ?? ""
            throw .malformed(unknownParameter: unknownParameter(in: words, of: text))
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionParameter.all(options)
    }

    /// The parameter that is unknown to libpq, unless it might be part of a password.
    private static func unknownParameter(in complaint: String, of text: String) -> String? {
        let start = "invalid URI query parameter: \""
        let credentials = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "@" }
        guard let range = complaint.firstRange(of: start),
            !text.contains("@") || !credentials.contains(":"), !text.contains("pass")
        else { return nil }
        let name = complaint[range.upperBound...].prefix { $0 != "\"" }.prefix(40)
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") } ? String(name) : nil
    }

    /// Builds a URI from all parts that may be shown.
    private static func description(of parameters: [ConnectionParameter]) -> String {
        let shown = parameters.filter { !$0.isSecret }
        func value(_ name: String) -> String? {
            shown.first { $0.name == name }.map { encoded($0.value) }
        }
        var text = "postgresql://"
        if let user = value("user") { text += user + "@" }
        var rest = shown.filter { !["user", "dbname"].contains($0.name) }
        let hosts = shown.first { $0.name == "host" }?.value ?? ""
        // A socket folder must come after the question mark, and a list of ports needs no encoding.
        if !hosts.contains("/"), !hosts.contains(":"), !hosts.contains(",") {
            text += encoded(hosts)
            if let port = value("port") { text += ":" + port }
            rest.removeAll { ["host", "port"].contains($0.name) }
        }
        if let database = value("dbname") { text += "/" + database }
        let query = rest.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        if !query.isEmpty { text += "?" + query }
        return text.count <= 300 ? text : text.prefix(299) + "…"
    }

    private static func encoded(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            if scalar.properties.isAlphabetic
                || "0123456789-._~/,:*=+".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in String(scalar).utf8 {
                    text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
            }
        }
        return text
    }
}

/// Why an address is invalid; no message shows a password.
package enum PostgreSQLAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case noURI
    /// libpq cannot read the URI, perhaps because of an unknown parameter that may be shown.
    case malformed(unknownParameter: String?)
    /// The port is not a number, usually because the password contains a slash or colon.
    case port
    /// An `@` would split the password.
    case reservedCharacter
    case noLibrary(PostgreSQLLibraryError)

    package var description: String {
        switch self {
        case .noURI:
            "It is neither a path nor a PostgreSQL URI such as postgresql://user@host/database."
        case .malformed(let parameter?):
            "The PostgreSQL address has the parameter \(parameter), which libpq does not know."
        case .malformed(nil):
            """
            The PostgreSQL address is not a URI that libpq can read; percent-encode special characters \
            in a user, password or value, such as %2F for a slash.
            """
        case .port:
            """
            The PostgreSQL address has a port that is not a number from 1 to 65535; if a / or : \
            belongs to the password, write it as %2F or %3A.
            """
        case .reservedCharacter:
            """
            The PostgreSQL address has an @, / or ? that splits it in the wrong place; in a user, \
            password or value, write them as %40, %2F and %3F.
            """
        case .noLibrary(let problem): problem.description
        }
    }
}

struct ConnectionParameter: Hashable {
    let name: String
    let value: String
    /// Whether libpq marks the parameter as a password or a debug option.
    let isSecret: Bool

    /// Copies libpq's list, except parameters without a value.
    static func all(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [ConnectionParameter] {
        var parameters: [ConnectionParameter] = []
        var option = unsafe options
        while let name = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val, unsafe value.pointee != 0 {
                let shown = unsafe option.pointee.dispchar.map { unsafe String(cString: $0) } ?? ""
                parameters.append(
                    ConnectionParameter(
                        name: unsafe String(cString: name), value: unsafe String(cString: value),
                        isSecret: !shown.isEmpty))
            }
            unsafe option += 1
        }
        return parameters
    }
}
