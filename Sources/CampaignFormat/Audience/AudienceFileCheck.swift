import CampaignCore

struct AudienceFileCheck: Sendable {
    /// The most faults of a file that are listed, and the most skipped rows besides them.
    static let most = 20

    private let file: AudienceFile
    private var found: [Diagnostic] = []
    private(set) var people = 0
    private var faults = 0
    private(set) var skipped = 0
    private var lastFault = TextRange(line: 1, column: 1)
    private var lastSkipped = TextRange(line: 1, column: 1)

    /// For a file that somebody else reads.
    init(of file: AudienceFile) {
        self.file = file
    }

    init(
        _ file: AudienceFile, in folders: AudienceFolders,
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) {
        self.init(of: file)
        do throws(AudienceFileFault) {
            var reader = try AudienceFileReader(
                file, in: folders, variables: [], zones: zones)
            read(&reader)
        } catch {
            if !file.forgives(error) { add(error) }
        }
    }

    var diagnostics: [Diagnostic] {
        var all = found
        if faults > Self.most {
            all.append(.tooManyFaults(faults - Self.most, in: file.shownPath, at: lastFault))
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
            do throws(AudienceFileFault) {
                guard try reader.next() != nil else { return }
                people += 1
            } catch {
                add(error)
            }
        }
    }

    mutating func add(_ fault: AudienceFileFault) {
        if file.skips(fault) {
            skipped += 1
            guard skipped <= Self.most else { return }
            found.append(fault.skippedRow)
            lastSkipped = fault.range
        } else {
            faults += 1
            guard faults <= Self.most else { return }
            found.append(fault.diagnostic)
            lastFault = fault.range
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
                "\(Figures.count(all)) rows are skipped in all; check whether it was exported right."
        )
    }
}
