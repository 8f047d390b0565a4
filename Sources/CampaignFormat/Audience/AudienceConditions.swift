import CampaignCore
package import FoundationEssentials

/// The requirements of an audience besides readable files: recent files, exports and earlier runs.
package struct AudienceConditions: Sendable {
    /// An export whose folder is not set.
    package struct MissingExport: Hashable, Sendable {
        package let path: String
        /// The campaign file or config that refers to the export.
        package let campaign: String
        package let range: TextRange
    }

    /// A file with a maximum age.
    struct DatedFile: Sendable {
        let path: Located<String>
        let maximumAge: Duration
        /// When the file's content last changed, in seconds since 1970.
        let modified: Int
    }

    /// The campaign file, and the config whose `defaults` it uses.
    private let files: SourceFiles
    private let exports: [Located<String>]
    /// Earlier runs whose people are included or excluded.
    private let runs: [Located<RunSelection>]
    private let dated: [DatedFile]

    init(
        in files: SourceFiles, exports: [Located<String>],
        runs: [Located<RunSelection>], dated: [DatedFile]
    ) {
        self.files = files
        self.exports = exports
        self.runs = runs
        self.dated = dated
    }

    /// Whether neither exports nor earlier runs are needed.
    package var areInFiles: Bool { exports.isEmpty && runs.isEmpty }

    package var missingExport: MissingExport? {
        exports.first.map {
            let (file, range) = files.place(of: $0.range)
            return MissingExport(path: $0.value, campaign: file, range: range)
        }
    }

    /// How far two machines' clocks may differ, in seconds.
    private static let clockSkew = 300.0

    /// An error for each file that is too old or dated in the future, at the entry that lists it.
    package func staleFiles(at now: Date) -> [Diagnostic] {
        dated.compactMap { file in
            let modified = Date(timeIntervalSince1970: Double(file.modified))
            // File times are truncated to whole seconds, which can make a file look up to a second
            // older.
            let age = now.timeIntervalSince(modified) - 1
            guard age > -Self.clockSkew else {
                return files.finding(
                    .staleFile, at: file.path.range,
                    "The file \"\(path: file.path.value.shortened)\" is dated \(UTCTime.text(modified)), which is in the future, so \"max_age\" cannot be checked.",
                    help: "Export it again on a machine whose clock is correct.")
            }
            guard age > file.maximumAge / .seconds(1) else { return nil }
            let shownAge = Figures.duration(from: modified, to: now)
            return files.finding(
                .staleFile, at: file.path.range,
                "The file \"\(path: file.path.value.shortened)\" is \(shownAge) old; \"max_age\" allows \(Durations.written(file.maximumAge)).",
                help: "Export it again, or raise \"max_age\" if an older file is acceptable.")
        }
    }

    /// Hints for a check that cannot find the exports or does not open the store.
    package var unchecked: [Diagnostic] {
        exports.map { path in
            files.finding(
                .notChecked, at: path.range,
                "\"\(path: path.value.shortened)\" was not checked, because the folder of exports is not set.",
                help:
                    "Set HUBSEND_AUDIENCES, or \"audiences\" in hubsend.yaml; without it, preview and run refuse the campaign."
            )
        }
            + runs.map { run in
                files.finding(
                    .notChecked, at: run.range,
                    "The people of earlier runs of \"\(run.value.campaign.shortened)\" were not checked, because this check does not open the store.",
                    help: "\"hubsend preview\" counts them.")
            }
    }
}
