import CampaignCore

struct AudienceFileCheck: Sendable {
    /// The maximum number of errors, and of skipped rows, that are listed per file.
    static let most = 20

    private let file: AudienceFile
    private var found: [Diagnostic] = []
    private(set) var people = 0
    private var errors = 0
    private(set) var skipped = 0
    private var lastError = TextRange(line: 1, column: 1)
    private var lastSkipped = TextRange(line: 1, column: 1)

    /// Collects the errors of a file that the caller reads.
    init(of file: AudienceFile) {
        self.file = file
    }

    init(
        _ file: AudienceFile, in folders: AudienceFolders,
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) {
        self.init(of: file)
        do throws(AudienceFileError) {
            var reader = try AudienceFileReader(
                file, in: folders, variables: [], zones: zones)
            read(&reader)
        } catch {
            if !file.forgives(error) { add(error) }
        }
    }

    var diagnostics: [Diagnostic] {
        var all = found
        if errors > Self.most {
            all.append(.tooManyFaults(errors - Self.most, in: file.shownPath, at: lastError))
        }
        if skipped > Self.most {
            all.append(
                .moreSkippedRows(
                    skipped - Self.most, of: skipped, in: file.shownPath, at: lastSkipped))
        }
        return all
    }

    private mutating func read(_ reader: inout AudienceFileReader) {
        while true {
            do throws(AudienceFileError) {
                guard try reader.next() != nil else { return }
                people += 1
            } catch {
                add(error)
            }
        }
    }

    mutating func add(_ problem: AudienceFileError) {
        if file.skips(problem) {
            skipped += 1
            guard skipped <= Self.most else { return }
            found.append(problem.skippedRow)
            lastSkipped = problem.range
        } else {
            errors += 1
            guard errors <= Self.most else { return }
            found.append(file.explained(problem).diagnostic)
            lastError = problem.range
        }
    }
}

extension Diagnostic {
    fileprivate static func moreSkippedRows(
        _ count: Int, of all: Int, in file: String, at range: TextRange
    ) -> Diagnostic {
        let rows = Figures.count(count, "more row", "more rows")
        return Diagnostic(
            .tooManyFaults, .warning, in: file, at: range,
            "\(rows) of this file \(count == 1 ? "is" : "are") skipped.",
            help:
                "\(Figures.count(all)) rows are skipped in total; check whether the export is correct."
        )
    }
}
