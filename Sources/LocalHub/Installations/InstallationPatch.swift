/// The body of `PATCH`: operations that change parts of an installation (reference, section 7).
struct InstallationPatch {
    private let operations: [InstallationPatchOperation]

    private static let mostOperations = 100

    /// Reads a body.
    ///
    /// - Parameter body: the bytes of the request.
    /// - Throws: a 400 when they are no array of operations.
    init(body: [UInt8]) throws(HubFailure) {
        guard case .array(let values)? = JSONValue.read(body),
            (1...Self.mostOperations).contains(values.count)
        else {
            throw .badRequest(
                "The body is not an array of 1 to \(Self.mostOperations) patch operations.")
        }
        operations = try values.map { value throws(HubFailure) in
            try InstallationPatchOperation(value)
        }
    }

    /// The document after all operations.
    ///
    /// - Parameter document: the document before.
    /// - Returns: the document after.
    /// - Throws: a 400 for the first operation that makes no sense there.
    func applied(to document: InstallationDocument) throws(HubFailure) -> InstallationDocument {
        var root = JSONValue.object(document.members)
        for operation in operations { try operation.apply(to: &root) }
        return InstallationDocument(members: root.members ?? [:])
    }
}
