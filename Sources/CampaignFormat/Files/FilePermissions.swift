import Glibc

/// Who beside the owner may do what with a file.
struct FilePermissions: Hashable, Sendable {
    private let mode: mode_t
    /// Whether the file's group is the owner's own, by the custom of giving it the user's number: then it is nobody else,
    /// and a checkout under umask 002 is as good as one under 022.
    private let isGroupPrivate: Bool

    init(_ status: stat) {
        mode = status.st_mode
        isGroupPrivate = status.st_gid == status.st_uid
    }

    var areWritableByOthers: Bool { mode & (isGroupPrivate ? 0o002 : 0o022) != 0 }
    var areReadableByOthers: Bool { mode & (isGroupPrivate ? 0o004 : 0o044) != 0 }
}
