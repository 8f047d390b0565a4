import CampaignCore
import Files

/// The people of one campaign: those it names itself, then those in its files.
///
/// Each reader opens the files again, by the same rules.
struct AudienceFiles: AudienceSource {
    struct Part: Sendable {
        /// With the number of the list that names them in ``AudienceOrigin``.
        var lists: [(number: Int, names: [Located<Username>])] = []
        var files: [AudienceFile] = []

        var usernames: [Located<Username>] { lists.flatMap(\.names) }
    }

    /// A file, list or run that leaves people out.
    struct ExcludedPart: Sendable {
        let exclusion: Exclusion
        /// In ``AudienceOrigin``.
        let number: Int
        let place: SourceRange
    }

    let named: Part
    let excluded: Part
    var exclusions: [ExcludedPart] = []
    let folders: AudienceFolders
    let variables: [String]
    var zones: any TimeZoneDatabase = SystemTimeZones()

    func reader(of part: AudiencePart) -> any AudienceReader {
        reader(of: part, noting: nil)
    }

    /// - Parameter note: takes faults, and reading goes on; nil: one that is not skipped ends it.
    func reader(
        of part: AudiencePart, noting note: ((AudienceFileFault, AudienceFile) -> Void)?
    ) -> any AudienceReader {
        switch part {
        case .named:
            AudienceFilesReader(
                named, in: folders, variables: variables, zones: zones, isExclusion: false,
                noting: note)
        case .excluded:
            AudienceFilesReader(
                excluded, in: folders, variables: [], zones: zones, isExclusion: true,
                noting: note)
        }
    }

    /// By the number in ``AudienceOrigin``; nil for the campaign file.
    func file(number: Int) -> AudienceFile? {
        (named.files + excluded.files).first { $0.number == number }
    }
}

private struct AudienceFilesReader: AudienceReader {
    private let folders: AudienceFolders
    private let variables: [String]
    private let zones: any TimeZoneDatabase
    /// An exclusion has to name somebody; an empty file of recipients only gets a warning.
    private let isExclusion: Bool
    private let note: ((AudienceFileFault, AudienceFile) -> Void)?
    private var members: ArraySlice<AudienceMember>
    private var files: ArraySlice<AudienceFile>
    private var current: AudienceFileReader?
    /// Neither a person nor a fault was found so far.
    private var isCurrentEmpty = true

    init(
        _ part: AudienceFiles.Part, in folders: AudienceFolders, variables: [String],
        zones: any TimeZoneDatabase, isExclusion: Bool,
        noting note: ((AudienceFileFault, AudienceFile) -> Void)?
    ) {
        self.folders = folders
        self.isExclusion = isExclusion
        self.note = note
        self.variables = variables
        self.zones = zones
        let noValues: [String?] = variables.map { _ in nil }
        members =
            part.lists.flatMap { number, names in
                names.map {
                    AudienceMember(
                        username: $0.value, values: noValues,
                        origin: AudienceOrigin(file: number, line: $0.range.start.line))
                }
            }[...]
        files = part.files[...]
    }

    mutating func next(_ limit: Int) throws -> [AudienceMember] {
        var members = Array(self.members.prefix(limit))
        self.members.removeFirst(members.count)
        while members.count < limit, let file = files.first {
            do throws(AudienceFileFault) {
                guard try read(file, into: &members, upTo: limit) else { break }
                if isExclusion, isCurrentEmpty, !file.allowsEmpty { throw file.emptyFault }
                endFile()
            } catch {
                guard note != nil || file.skips(error) else { throw error }
                note?(error, file)
                if !error.isHeading { isCurrentEmpty = false }
                if current == nil { endFile() }
            }
        }
        return members
    }

    private mutating func endFile() {
        current = nil
        isCurrentEmpty = true
        files.removeFirst()
    }

    /// Returns whether the file has ended; an optional one that is missing has.
    private mutating func read(
        _ file: AudienceFile, into members: inout [AudienceMember], upTo limit: Int
    ) throws(AudienceFileFault) -> Bool {
        if current == nil {
            do throws(AudienceFileFault) {
                current = try AudienceFileReader(
                    file, in: folders, variables: variables, zones: zones)
            } catch {
                guard file.forgives(error) else { throw error }
                return true
            }
        }
        while members.count < limit {
            guard let member = try current?.next() else { return true }
            members.append(member)
            isCurrentEmpty = false
        }
        return false
    }
}

/// Opens audience files: those below the campaigns' folder, and exports.
struct AudienceFolders: Sendable {
    private let files: SafeFolder
    private let exports: ExportFiles?

    /// - Parameter exports: nil if no file is one, or if nothing says where they are.
    init(files: SafeFolder, exports: ExportFiles? = nil) {
        self.files = files
        self.exports = exports
    }

    /// Exports count as missing while nothing says where they are.
    func open(_ file: AudienceFile) throws(FileReferenceFault) -> OpenFile {
        guard let path = file.exportPath else { return try files.open(file.path) }
        guard let exports else { throw .missing() }
        return try exports.open(path)
    }
}
