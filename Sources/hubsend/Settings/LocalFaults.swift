import CampaignCore
import CampaignFormat
import LocalHub

/// Reads what shall go wrong with the local hub.
enum LocalFaults {
    /// The rules of flags and of files: those of the flags come first.
    ///
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(flags: [String], files: [String]) throws -> [FaultRule] {
        var loaded: [LoadedFaults] = []
        for (index, flag) in flags.enumerated() {
            let name = flags.count == 1 ? "--fault" : "--fault (number \(index + 1))"
            loaded.append(FaultsFile.read(text: flag, from: name))
        }
        for file in files { loaded.append(try FaultsFile.read(file)) }
        let rules = loaded.compactMap(\.faults)
        guard rules.count == loaded.count else {
            throw ConfigFaults(findings: loaded.flatMap(\.diagnostics))
        }
        return rules.flatMap(\.self).map(FaultRule.init)
    }

    /// The rules that somebody gives while the hub runs.
    ///
    /// - Parameter body: a faults file in YAML or JSON, or one fault as a flag gives it.
    /// - Returns: the rules.
    /// - Throws: `UnreadableFaults` with the findings, which call the text `body`.
    static func read(body: String) throws(UnreadableFaults) -> [FaultRule] {
        let loaded = FaultsFile.read(fileOrFault: body, from: "body")
        guard let faults = loaded.faults else {
            let findings = TextDiagnosticRenderer().render(loaded.diagnostics.sorted())
            throw UnreadableFaults(explanation: String(findings.dropLast()))
        }
        return faults.map(FaultRule.init)
    }
}
