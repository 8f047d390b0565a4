import HTTPServing
import HTTPTypes

/// The plain HTTP address of a blob or container on this machine that a job reads or writes.
///
/// Its query is a shared access signature, which is shown only to clients that read the job.
struct BlobAddress: Sendable, Hashable {
    let text: String
    /// The host in lower case: an address in 127.0.0.0/8, `::1` in brackets, or `localhost`.
    let host: String
    let port: Int
    /// The path, with its leading slash.
    let path: String
    /// The query, with its question mark; empty if there is none.
    let query: String

    private static let longest = 8_192

    /// Reads an address; `name` is the element of the job, such as `OutputContainerUri`.
    ///
    /// Throws a 400 if it is not an address, or a 501 if it is not plain HTTP on a loopback host.
    init(_ text: String, name: String) throws(HubFailure) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let scheme = text.firstRange(of: "://"), !text.contains("#")
        else { throw .invalidJob("\(name) is not an address") }
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let authority = RequestAuthority(String(rest[..<end])) else {
            throw .invalidJob("\(name) has no host, or has a user name before the host")
        }
        guard text[..<scheme.lowerBound].lowercased() == "http",
            LoopbackHost.contains(authority.host)
        else { throw .foreignBlob(name) }
        guard let port = Self.port(of: authority) else {
            throw .invalidJob("\(name) has a port that is not between 1 and 65535")
        }
        let question = rest[end...].firstIndex(of: "?") ?? rest.endIndex
        self.text = text
        host = authority.host
        self.port = port
        path = end == question ? "/" : String(rest[end..<question])
        query = String(rest[question...])
    }

    private init(_ container: BlobAddress, path: String) {
        let folder = container.path.hasSuffix("/") ? container.path.dropLast() : container.path[...]
        self.path = "\(folder)\(path)"
        host = container.host
        port = container.port
        query = container.query
        text = "http://\(host):\(port)\(self.path)\(query)"
    }

    /// The port, 80 by default; nil if it is not 1 to 65535.
    static func port(of authority: RequestAuthority) -> Int? {
        let text = authority.text.dropFirst(authority.host.count)
        guard !text.isEmpty else { return 80 }
        let digits = text.dropFirst()
        return UInt16(digits).flatMap { $0 > 0 && "\($0)" == digits ? Int($0) : nil }
    }

    /// The address of a blob in this container, with the container's query; slashes in the name are
    /// not escaped.
    func blob(named name: String) -> BlobAddress {
        let segments = name.split(separator: "/", omittingEmptySubsequences: false)
        return BlobAddress(
            self, path: "/" + segments.map(PercentEncoding.encode).joined(separator: "/"))
    }
}

extension BlobAddress: CustomStringConvertible, CustomReflectable {
    /// Hides the path and the signature.
    var description: String { "a blob at \(host):\(port)" }

    /// Hides the path and the signature.
    var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }
}

extension HubFailure {
    /// The error for an invalid job; the text up to the colon was recorded from the service.
    static func invalidJob(_ reason: String) -> HubFailure {
        .badRequest("The supplied notificationhub job payload is invalid: \(reason)")
    }

    fileprivate static func foreignBlob(_ name: String) -> HubFailure {
        HubFailure(
            status: .notImplemented,
            detail:
                "\(name) must be on this machine and use plain HTTP, because this is a local hub; "
                + "use a container such as http://127.0.0.1:10000/devstoreaccount1/NAME")
    }
}
