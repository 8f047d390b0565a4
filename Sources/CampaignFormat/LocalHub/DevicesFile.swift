package import CampaignCore
import YAMLSyntax

/// Reads the devices of the local hub: `devices: [{ user: alice, platform: apns, handle: … }]`.
package enum DevicesFile {
    private static let keys = ["user", "platform", "handle"]
    private static let longestHandle = 4_096

    /// Reads a devices file.
    ///
    /// - Parameters:
    ///   - path: the file; at most 16 MiB.
    ///   - folder: where it is a link, it must not lead out of this folder, or out of its own.
    /// - Returns: the devices, or what is wrong with them.
    /// - Throws: ``InputFileError`` when there is no text to read.
    package static func read(
        _ path: String, within folder: String? = nil
    ) throws(InputFileError) -> LoadedDevices {
        let input = try InputFile.read(path, within: [folder].compactMap(\.self))
        var findings = Findings(input)
        let devices = findings.root(of: input, knownBy: .devices)
            .map { decode($0, findings: &findings) }
        // A handle is the right to push to somebody's device.
        let diagnostics = findings.finished { _ in true }.map { $0.showing(nil) }
        return LoadedDevices(
            path: path, devices: diagnostics.hasErrors ? nil : devices, diagnostics: diagnostics)
    }

    private static func decode(_ root: YAMLNode, findings: inout Findings) -> [Device] {
        let start = SourceRange(start: root.range.start, end: root.range.start)
        guard
            let reader = MappingReader(
                root, path: "", keyRange: start, known: ["devices"], findings: &findings)
        else { return [] }
        findings.require(["devices"], of: reader, root: start)
        guard let list = findings.list("devices", of: reader) else { return [] }
        return list.value.compactMap { device($0, findings: &findings) }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isHexDigit
    }

    private static func device(_ node: YAMLNode, findings: inout Findings) -> Device? {
        let start = SourceRange(start: node.range.start, end: node.range.start)
        guard
            let reader = MappingReader(
                node, path: "devices", keyRange: start, known: keys, findings: &findings)
        else { return nil }
        findings.require(["user", "platform"], of: reader, root: start)
        let user = findings.text("user", of: reader)
        let platform = findings.choice(
            "platform", of: reader, among: Platform.allCases.map(\.rawValue))
        let handle = findings.text("handle", of: reader)
        if let handle, handle.value.text.utf8.count > longestHandle {
            findings.error(
                .outOfRange, at: handle.range,
                "The handle has more than \(longestHandle) bytes.")
        }
        if let handle, platform?.value == Platform.apns.rawValue,
            !handle.value.text.utf8.count.isMultiple(of: 2)
                || !handle.value.text.utf8.allSatisfy(isHexadecimal)
        {
            findings.error(
                .outOfRange, at: handle.range, "The handle is no device token of APNs.",
                help: "Write hexadecimal digits, an even number of them, or leave it out.")
        }
        guard let user, let platform = platform.flatMap({ Platform(rawValue: $0.value) }) else {
            return nil
        }
        do throws(UsernameFault) {
            return Device(
                user: try Username(user.value.text), platform: platform,
                handle: handle?.value.text)
        } catch {
            findings.error(
                .invalidUsername, at: user.range,
                UsernameText.message(for: user.value.text, fault: error))
            return nil
        }
    }
}

/// A devices file after reading.
package struct LoadedDevices: Sendable {
    package let path: String
    /// nil when anything is wrong.
    package let devices: [Device]?
    package let diagnostics: [Diagnostic]

    package init(path: String, devices: [Device]?, diagnostics: [Diagnostic]) {
        self.path = path
        self.devices = devices
        self.diagnostics = diagnostics
    }
}

/// A device of the local hub, as a devices file names it.
package struct Device: Hashable, Sendable {
    package let user: Username
    package let platform: Platform
    /// Where the push service finds it; nil: the hub makes one up.
    package let handle: String?

    package init(user: Username, platform: Platform, handle: String?) {
        self.user = user
        self.platform = platform
        self.handle = handle
    }
}
