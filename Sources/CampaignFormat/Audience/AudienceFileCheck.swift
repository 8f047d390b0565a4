import CampaignCore

/// Lists what is wrong with an audience file.
struct AudienceFileCheck: Sendable {
    /// How many faults of a file are listed.
    static let most = 100

    private let path: String
    private var found: [Diagnostic] = []
    /// People found, faulty lines not counted.
    private(set) var people = 0
    private var left = 0

    /// Begins the check of a file that somebody else reads.
    init(of file: AudienceFile) {
        path = file.shownPath
    }

    /// Reads a file through.
    ///
    /// - Parameters:
    ///   - folder: where it lies.
    init(_ file: AudienceFile, in folder: SafeFolder) {
        self.init(of: file)
        do throws(AudienceFileFault) {
            var reader = try AudienceFileReader(file, in: folder, variables: [])
            read(&reader)
        } catch {
            if !file.forgives(error) { add(error) }
        }
    }

    /// What was found, and how much more there is.
    var diagnostics: [Diagnostic] {
        guard left > 0, let last = found.last else { return found }
        return found + [.tooManyFaults(left, in: path, at: last.range)]
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

    /// Adds a fault, in the order of the file.
    mutating func add(_ fault: AudienceFileFault) {
        if found.count < Self.most {
            found.append(fault.diagnostic)
        } else {
            left += 1
        }
    }
}
