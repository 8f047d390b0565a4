import CampaignCore

/// Reads files such as `faults: [{ status: 500, share: 5% }]`.
package enum FaultsFile {
    /// Reads at most 16 MiB.
    package static func read(_ path: String) throws(InputFileError) -> LoadedFaults {
        load(try InputFile.read(path), knownBy: .faults) { decode($0, findings: $1) }
    }

    /// Reads one fault from a command line, such as `status: 500, share: 5%`.
    package static func read(text: String, from flag: String) -> LoadedFaults {
        let text = FaultText(text)
        let loaded = load(
            InputFile(path: flag, bytes: Array(text.yaml.utf8)), knownBy: .argument
        ) { node, findings in
            let reader = MappingReader(node, .fault, of: .faults, findings: findings)
            return [reader.flatMap { FaultDecoder(reader: $0).decode() }].compactMap(\.self)
        }
        return LoadedFaults(
            path: flag, faults: loaded.faults,
            diagnostics: loaded.diagnostics.map(text.written))
    }

    /// Reads a faults file or a single fault, given while the hub runs.
    package static func read(fileOrFault text: String, from name: String) -> LoadedFaults {
        guard beginsWithFaults(text) else { return read(text: text, from: name) }
        return load(InputFile(path: name, bytes: Array(text.utf8)), knownBy: .argument) {
            decode($0, findings: $1)
        }
    }

    /// Only a faults file has this key.
    private static func beginsWithFaults(_ text: String) -> Bool {
        let first = text.split(whereSeparator: \.isNewline)
            .map { $0.drop { " \t{\u{FEFF}".contains($0) } }
            .first { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix("---") }
        return first?.drop { "\"'".contains($0) }.hasPrefix("faults") ?? false
    }

    private static func load(
        _ input: InputFile, knownBy telling: IdentifyingKeys,
        _ decode: (YAMLNode, Findings) -> [Fault]
    ) -> LoadedFaults {
        let findings = Findings(input)
        let faults = findings.root(of: input, knownBy: telling).map { decode($0, findings) }
        let diagnostics = findings.finished()
        return LoadedFaults(
            path: input.path, faults: diagnostics.hasErrors ? nil : faults,
            diagnostics: diagnostics)
    }

    private static func decode(_ root: YAMLNode, findings: Findings) -> [Fault] {
        guard let reader = MappingReader(root, of: .faults, findings: findings) else { return [] }
        return reader.elements("faults") { node in
            reader.mapping(node, of: "faults").flatMap { FaultDecoder(reader: $0).decode() }
        }.elements
    }
}

package struct LoadedFaults: Sendable {
    /// The file, or the flag or request that the text came from.
    package let path: String
    /// nil if the text has errors.
    package let faults: [Fault]?
    package let diagnostics: [Diagnostic]
}
