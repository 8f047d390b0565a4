import CampaignCore
package import FoundationEssentials

/// What an audience needs besides readable files: their age, exports, earlier runs.
package struct AudienceConditions: Sendable {
    /// An export, while nothing says where exports are.
    package struct MissingExport: Hashable, Sendable {
        package let path: String
        /// The campaign file, or the config, that names it.
        package let campaign: String
        package let range: TextRange
    }

    /// A file with a maximum age.
    struct DatedFile: Sendable {
        let path: Located<String>
        let maximumAge: Duration
        /// When its content last changed, in seconds since 1970.
        let modified: Int
    }

    /// The campaign, and the config whose `defaults` it takes over.
    private let files: SourceFiles
    private let exports: [Located<String>]
    /// Those whose people are named, and those whose people are left out.
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

    /// No exports or earlier runs are needed.
    package var areInFiles: Bool { exports.isEmpty && runs.isEmpty }

    package var missingExport: MissingExport? {
        exports.first.map {
            let (file, range) = files.place(of: $0.range)
            return MissingExport(path: $0.value, campaign: file, range: range)
        }
    }

    /// How far two machines' clocks may differ, in seconds.
    private static let clockSkew = 300.0

    /// Too old or of unknown age, each as an error at the entry that names it.
    package func staleFiles(at now: Date) -> [Diagnostic] {
        dated.compactMap { file in
            let modified = Date(timeIntervalSince1970: Double(file.modified))
            // File times are cut to a whole second, which adds up to one.
            let age = now.timeIntervalSince(modified) - 1
            guard age > -Self.clockSkew else {
                return files.finding(
                    .staleFile, at: file.path.range,
                    "The file \"\(path: file.path.value.shortened)\" is dated \(UTCTime.text(modified)), which is in the future; \"max_age\" cannot tell how old it is.",
                    help: "Export it again, on a machine whose clock is right.")
            }
            guard age > file.maximumAge / .seconds(1) else { return nil }
            let shownAge = Figures.duration(from: modified, to: now)
            return files.finding(
                .staleFile, at: file.path.range,
                "The file \"\(path: file.path.value.shortened)\" is \(shownAge) old; \"max_age\" allows \(Durations.written(file.maximumAge)).",
                help: "Export it again, or raise \"max_age\" if it may be as old as that.")
        }
    }

    /// For a check that knows no exports or opens no store.
    package var unchecked: [Diagnostic] {
        exports.map { path in
            files.finding(
                .notChecked, at: path.range,
                "\"\(path: path.value.shortened)\" was not checked, since nothing says where exports are.",
                help:
                    "Set HUBSEND_AUDIENCES, or \"audiences\" in hubsend.yaml; without it, preview and run refuse the campaign."
            )
        }
            + runs.map { run in
                files.finding(
                    .notChecked, at: run.range,
                    "The people of \"\(run.value.campaign.shortened)\" were not checked, since this opens no store.",
                    help: "\"hubsend preview\" counts them.")
            }
    }
}
