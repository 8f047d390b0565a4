import Files
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct IdentityFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func fault(_ path: String, _ role: FileRole = .passwords) -> FileFault? {
        do throws(IdentityFault) {
            _ = try IdentityFile(role: role, path: path).read()
            return nil
        } catch {
            guard case .file(role, path: path, let fault) = error else {
                Issue.record("\(error)")
                return nil
            }
            #expect(error.description.contains(path))
            return fault
        }
    }

    @Test func aFileOfOnesOwnIsRead() throws {
        let path = try folder.write("text", to: "file", mode: 0o600)
        #expect(try IdentityFile(role: .passwords, path: path).read() == Array("text".utf8))
        try folder.link("link", to: path)
        #expect(fault(folder.file("link")) == nil)
    }

    @Test(arguments: [
        (0o604, FileFault.readableByOthers(.mode)), (0o602, .writableByOthers(.mode)),
    ])
    func whatOthersCanGetAtIsRefused(mode: Int, expected: FileFault) throws {
        let path = try folder.write("text", to: "file", mode: mode)
        #expect(fault(path) == expected)
        #expect(fault(path, .certificateKey) == expected)
        let isWritable = expected == .writableByOthers(.mode)
        #expect(fault(path, .certificate) == (isWritable ? expected : nil))
    }

    @Test func whatIsNoRegularFileIsRefused() throws {
        #expect(fault(folder.path) == .notRegular)
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(fault(folder.file("pipe")) == .notRegular)
        #expect(fault("/dev/null") == .notRegular)
        guard case .unreadable(let missing) = fault(folder.file("none")) else {
            Issue.record("a file that is not there was read")
            return
        }
        #expect(missing.kind == .missing)
    }

    @Test func aFileThatIsMissingSaysWhatToDo() {
        let reason = FileFault.unreadable(SystemFault(number: ENOENT))
        #expect(
            IdentityFault.file(.passwords, path: "/p", reason).description
                == "The password file /p cannot be read: no such file or directory. "
                + "Make it: htpasswd -B -C 12 -c /p NAME")
        #expect(
            IdentityFault.file(.tokenKey, path: "/k", reason).description
                == "The token key file /k cannot be read: no such file or directory. "
                + "Check its path, and the rights to it and its folders.")
    }

    @Test func aFileThatIsTooLongIsRefused() throws {
        let limit = FileRole.tokenKey.limit
        let path = try folder.write([UInt8](repeating: 65, count: limit), to: "file", mode: 0o600)
        #expect(fault(path, .tokenKey) == nil)
        try folder.write([UInt8](repeating: 65, count: limit + 1), to: "file", mode: 0o600)
        #expect(fault(path, .tokenKey) == .tooLong(limit: limit))
    }
}
