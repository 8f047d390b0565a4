import CampaignCore
import Files

/// The people of one campaign: first those listed in the campaign, then those in its files.
///
/// Each reader opens the files again and repeats all checks.
struct AudienceFiles: AudienceSource {
    struct Part: Sendable {
        /// Lists of names, each with its number in ``AudienceOrigin``.
        var lists: [(number: Int, names: [Located<Username>])] = []
        var files: [AudienceFile] = []

        var usernames: [Located<Username>] { lists.flatMap(\.names) }
    }

    /// A file, list or run that names people to exclude.
    struct ExcludedPart: Sendable {
        let exclusion: Exclusion
        /// The exclusion's number in ``AudienceOrigin``.
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

    /// - Parameter note: receives each error, after which reading continues; if nil, an error ends
    /// reading unless its row is skipped.
    func reader(
        of part: AudiencePart, noting note: ((AudienceFileError, AudienceFile) -> Void)?
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

    /// Finds a file by its number in ``AudienceOrigin``; nil for the campaign file.
    func file(number: Int) -> AudienceFile? {
        (named.files + excluded.files).first { $0.number == number }
    }
}

private struct AudienceFilesReader: AudienceReader {
    private let folders: AudienceFolders
    private let variables: [String]
    private let zones: any TimeZoneDatabase
    /// An exclusion file must list somebody; an empty file of recipients only causes a warning.
    private let isExclusion: Bool
    private let note: ((AudienceFileError, AudienceFile) -> Void)?
    private var members: ArraySlice<AudienceMember>
    private var files: ArraySlice<AudienceFile>
    private var current: AudienceFileReader?
    /// Whether the current file has contained neither a person nor an error so far.
    private var isCurrentEmpty = true

    init(
        _ part: AudienceFiles.Part, in folders: AudienceFolders, variables: [String],
        zones: any TimeZoneDatabase, isExclusion: Bool,
        noting note: ((AudienceFileError, AudienceFile) -> Void)?
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
            do throws(AudienceFileError) {
                guard try read(file, into: &members, upTo: limit) else { break }
                if isExclusion, isCurrentEmpty, !file.allowsEmpty { throw file.emptyError }
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

    /// Returns whether the file has ended, which is also true for a missing optional file.
    private mutating func read(
        _ file: AudienceFile, into members: inout [AudienceMember], upTo limit: Int
    ) throws(AudienceFileError) -> Bool {
        if current == nil {
            do throws(AudienceFileError) {
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

    /// - Parameter exports: nil if no file is an export, or if the folder of exports is not set.
    init(files: SafeFolder, exports: ExportFiles? = nil) {
        self.files = files
        self.exports = exports
    }

    /// Exports are treated as missing if their folder is not set.
    func open(_ file: AudienceFile) throws(FileReferenceError) -> OpenFile {
        guard let path = file.exportPath else { return try files.open(file.path) }
        guard let exports else { throw .missing() }
        return try exports.open(path)
    }
}
