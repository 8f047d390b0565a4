import CampaignCore

/// Reads an audience file through and lists what is wrong with it.
struct AudienceFileCheck {
    /// How many faults of a file are listed.
    static let most = 100

    private(set) var diagnostics: [Diagnostic] = []
    /// People found, faulty lines not counted.
    private(set) var people = 0
    private var left = 0

    /// Checks a file.
    ///
    /// - Parameters:
    ///   - folder: where it lies.
    init(_ file: AudienceFile, in folder: SafeFolder) {
        do throws(AudienceFileFault) {
            var reader = try AudienceFileReader(file, in: folder, variables: [])
            read(&reader)
        } catch {
            if !file.forgives(error) { add(error) }
        }
        guard left > 0, let last = diagnostics.last else { return }
        diagnostics.append(.tooManyFaults(left, in: file.shownPath, at: last.range))
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

    private mutating func add(_ fault: AudienceFileFault) {
        if diagnostics.count < Self.most {
            diagnostics.append(fault.diagnostic)
        } else {
            left += 1
        }
    }
}
