package import CampaignCore

/// Reads files such as `devices: [{ user: alice, platform: apns, handle: … }]`.
package enum DevicesFile {
    private static let longestHandle = 4_096

    /// Reads at most 16 MiB; a link must not lead out of its own folder or `folder`.
    package static func read(
        _ path: String, within folder: String? = nil
    ) throws(InputFileError) -> LoadedDevices {
        let input = try InputFile.read(path, within: [folder].compactMap(\.self))
        let findings = Findings(input)
        let devices = findings.root(of: input, knownBy: .devices)
            .map { decode($0, findings: findings) }
        // Lines are not shown, because anyone who has a handle can push to the device.
        let diagnostics = findings.finished().map { $0.showing(nil) }
        return LoadedDevices(
            path: path, devices: diagnostics.hasErrors ? nil : devices, diagnostics: diagnostics)
    }

    private static func decode(_ root: YAMLNode, findings: Findings) -> [Device] {
        guard let reader = MappingReader(root, of: .devices, findings: findings) else { return [] }
        return reader.elements("devices") { node in
            reader.mapping(node, of: "devices").flatMap(device)
        }.elements
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isHexDigit
    }

    private static func device(_ reader: MappingReader) -> Device? {
        let findings = reader.findings
        let user = reader.text("user")
        let platform = reader.choice("platform", as: Platform.self)?.value
        let handle = reader.text("handle")
        if let handle, handle.value.text.utf8.count > longestHandle {
            findings.error(
                .outOfRange, at: handle.range,
                "The handle has more than \(longestHandle) bytes.")
        }
        if let handle, platform?.facts.handle == .hexadecimal,
            !handle.value.text.utf8.count.isMultiple(of: 2)
                || !handle.value.text.utf8.allSatisfy(isHexadecimal)
        {
            findings.error(
                .outOfRange, at: handle.range, "The handle is not an APNs device token.",
                help: "Write an even number of hexadecimal digits, or delete the key.")
        }
        guard let user, let platform, let username = findings.username(user) else { return nil }
        return Device(user: username, platform: platform, handle: handle?.value.text)
    }
}

package struct LoadedDevices: Sendable {
    package let path: String
    /// nil if the file has errors.
    package let devices: [Device]?
    package let diagnostics: [Diagnostic]
}

package struct Device: Hashable, Sendable {
    package let user: Username
    package let platform: Platform
    /// The push service's handle for the device; nil means that the hub generates one.
    package let handle: String?
}
