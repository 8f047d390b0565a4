import HTTPServing

/// The body of `PATCH`: operations that change parts of an installation.
struct InstallationPatch {
    private let operations: [InstallationPatchOperation]

    private static let mostOperations = 100

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

    /// Returns the document after all operations; throws a 400 for the first operation that is
    /// impossible.
    func applied(to document: InstallationDocument) throws(HubFailure) -> InstallationDocument {
        var root = JSONValue.object(document.members)
        for operation in operations { try operation.apply(to: &root) }
        return InstallationDocument(members: root.members ?? [:])
    }
}

/// An operation of a patch.
///
/// The value is JSON, or a string that contains JSON. `add` appends to a list of tags and otherwise
/// sets the value; `remove` does nothing if the value is missing.
private struct InstallationPatchOperation {
    private let path: [String]
    /// The new value; nil for a removal.
    private let value: JSONValue?
    private let adds: Bool

    private static let roots = [
        "pushchannel": "pushChannel", "tags": "tags", "userid": "userId", "user": "userId",
        "templates": "templates", "secondarytiles": "secondaryTiles",
        "expirationtime": "expirationTime", "pushvariables": "pushVariables",
    ]

    /// Reads `{op, path, value}`; throws a 400 for anything else and for paths that cannot be
    /// changed.
    init(_ value: JSONValue) throws(HubFailure) {
        guard let members = value.members, let name = members["op"]?.text?.lowercased(),
            let text = members["path"]?.text, text.hasPrefix("/")
        else {
            throw .badRequest("A patch operation has no op, or no path that begins with a slash.")
        }
        var path = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
        guard let root = Self.roots[path[0].lowercased()], path.allSatisfy({ !$0.isEmpty }) else {
            throw .badRequest("The path \(ClientText.quoted(text)) cannot be patched.")
        }
        path[0] = root
        guard let kind = Self.kind(of: path[...]) else {
            throw .badRequest("The path \(ClientText.quoted(text)) cannot be patched.")
        }
        self.path = path
        switch name {
        case "remove":
            adds = false
            self.value = nil
        case "add", "replace":
            adds = name == "add"
            guard let value = members["value"] else {
                throw .badRequest("The patch operation at \(ClientText.quoted(text)) has no value.")
            }
            guard let read = kind.read(value) else {
                throw .badRequest(
                    "The value at \(ClientText.quoted(text)) has the wrong type.")
            }
            self.value = read
        default:
            throw .badRequest("The op \(ClientText.quoted(name)) is not add, remove or replace.")
        }
    }

    /// Applies the operation; throws a 400 if nothing at the path can be changed.
    func apply(to root: inout JSONValue) throws(HubFailure) {
        try apply(to: &root, path[...])
    }

    private func apply(to node: inout JSONValue, _ path: ArraySlice<String>) throws(HubFailure) {
        guard let name = path.first else { return }
        if case .array(let items) = node { return change(&node, items, name) }
        guard var members = node.members else {
            throw .badRequest(
                "The path of a patch operation goes through a value that has no members.")
        }
        defer { node = .object(members) }
        if path.count > 1 {
            let isTagList = name == "tags"
            // If a member on the path is missing, `remove` does nothing, and `add` creates the
            // member.
            guard members[name] != nil || value != nil else { return }
            var child = members[name] ?? (isTagList ? .array([]) : .object([:]))
            try apply(to: &child, path.dropFirst())
            members[name] = child == .array([]) ? nil : child
        } else if adds, case .array(let old)? = members[name], case .array(let new)? = value {
            let known = Set(old)
            members[name] = .array(old + new.filter { !known.contains($0) })
        } else {
            members[name] = value == .null ? nil : value
        }
    }

    private func change(_ node: inout JSONValue, _ items: [JSONValue], _ tag: String) {
        let others = items.filter { $0 != .string(tag) }
        switch value {
        case nil: node = .array(others)
        case .string(let text)? where !adds && !text.isEmpty:
            node = .array(others + [.string(text)])
        default: node = .array(others + [.string(tag)])
        }
    }

    private static func kind(of path: ArraySlice<String>) -> Kind? {
        let rest = path.dropFirst()
        switch (path.first, rest.count) {
        case ("pushChannel", 0): return .channel
        case ("userId", 0), ("expirationTime", 0), ("body", 0), ("expiry", 0): return .text
        case ("tags", 0): return .tags
        case ("tags", 1): return .text
        case ("pushVariables", 0), ("headers", 0), ("templates", 0), ("secondaryTiles", 0):
            return .object
        case ("pushVariables", 1), ("headers", 1): return .text
        case ("templates", 1), ("secondaryTiles", 1): return .object
        case ("templates", 2...):
            let inner = rest.dropFirst()
            guard ["body", "headers", "expiry", "tags"].contains(inner.first) else { return nil }
            return kind(of: inner)
        case ("secondaryTiles", 2...):
            let inner = rest.dropFirst()
            guard ["pushChannel", "tags", "templates"].contains(inner.first) else { return nil }
            return kind(of: inner)
        default: return nil
        }
    }

    private enum Kind {
        case text
        case channel
        case tags
        case object

        /// Converts the value to the type of the member; returns nil if it has another type.
        func read(_ value: JSONValue) -> JSONValue? {
            switch (self, value) {
            case (.text, .string), (.channel, .string), (.channel, .object), (.object, .object),
                (_, .null):
                return value
            case (.tags, .array): return value
            case (.tags, .string(let text)):
                if text.hasPrefix("["), case .array(let items)? = JSONValue.read(text.utf8) {
                    return .array(items)
                }
                return .array([value])
            case (.object, .string(let text)):
                guard let inner = JSONValue.read(text.utf8), inner.members != nil else {
                    return nil
                }
                return inner
            default: return nil
            }
        }
    }
}
