import Glibc
import Testing

@testable import CampaignFormat

@Suite struct FilePermissionsTests {
    private func permissions(_ mode: mode_t, group: gid_t) -> FilePermissions {
        var status = stat()
        status.st_mode = mode
        status.st_uid = 1_000
        status.st_gid = group
        return FilePermissions(status)
    }

    @Test(arguments: [
        (0o664, 1_000, false), (0o664, 50, true), (0o666, 1_000, true), (0o644, 50, false),
    ])
    func theOwnersOwnGroupIsNobodyElseWhenWriting(mode: mode_t, group: gid_t, isOpen: Bool) {
        #expect(permissions(mode, group: group).areWritableByOthers == isOpen)
    }

    @Test(arguments: [
        (0o640, 1_000, false), (0o640, 50, true), (0o604, 1_000, true), (0o600, 50, false),
    ])
    func theOwnersOwnGroupIsNobodyElseWhenReading(mode: mode_t, group: gid_t, isOpen: Bool) {
        #expect(permissions(mode, group: group).areReadableByOthers == isOpen)
    }
}
