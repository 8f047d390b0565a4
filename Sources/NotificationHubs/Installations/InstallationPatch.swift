import CampaignCore
import Foundation

/// A change to an installation.
public struct InstallationPatch: Sendable, Hashable {
    let operation: String
    let path: String
    let value: String?

    private init(_ operation: String, _ path: String, _ value: String? = nil) {
        self.operation = operation
        self.path = path
        self.value = value
    }

    /// Adds a tag.
    public static func addTag(_ tag: String) -> Self { Self("add", "/tags", tag) }

    /// Removes a tag.
    public static func removeTag(_ tag: String) -> Self { Self("remove", "/tags/" + escaped(tag)) }

    /// Replaces the device's handle.
    public static func setPushChannel(_ handle: String) -> Self {
        Self("replace", "/pushChannel", handle)
    }

    /// Changes the user of the device; nil means no user.
    public static func setUserID(_ userID: String?) -> Self {
        userID.map { Self("replace", "/userId", $0) } ?? Self("remove", "/userId")
    }

    /// Adds a template, or replaces the template with the same name.
    public static func setTemplate(_ name: String, _ template: InstallationTemplate) -> Self {
        Self("add", "/templates/" + escaped(name), template.json)
    }

    /// Replaces the body of a template.
    public static func setTemplateBody(_ name: String, _ body: String) -> Self {
        Self("replace", "/templates/" + escaped(name) + "/body", body)
    }

    /// Removes a template.
    public static func removeTemplate(_ name: String) -> Self {
        Self("remove", "/templates/" + escaped(name))
    }

    /// The JSON document of a patch; hubs expect structured values as strings that contain JSON.
    static func json(_ changes: [InstallationPatch]) -> String {
        let objects = changes.map { change in
            var members = ["op": change.operation, "path": change.path]
            members["value"] = change.value
            return JSONObjectText.of(members)
        }
        return "[\(objects.joined(separator: ","))]"
    }

    /// A name in a JSON pointer (RFC 6901).
    private static func escaped(_ name: String) -> String {
        name.replacingBytes("~", with: "~0").replacingBytes("/", with: "~1")
    }
}

extension InstallationTemplate {
    fileprivate var json: String {
        var members = ["\"body\":\(Self.quoted(body))"]
        if let headers { members.append("\"headers\":\(JSONObjectText.of(headers))") }
        if let expiry { members.append("\"expiry\":\(Self.quoted(expiry))") }
        if let tags {
            members.append("\"tags\":[\(tags.map(Self.quoted).joined(separator: ","))]")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension InstallationPatch: SecretHolder {
    /// The kind of change, without the path or value.
    public var description: String { "InstallationPatch(\(operation), hidden)" }
}
