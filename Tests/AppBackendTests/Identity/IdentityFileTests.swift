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

    private func problem(_ path: String, _ role: FileRole = .passwords) -> ProtectedFileError? {
        do throws(IdentityError) {
            _ = try IdentityFile(role: role, path: path).read()
            return nil
        } catch {
            guard case .file(role, path: path, let problem) = error else {
                Issue.record("\(error)")
                return nil
            }
            #expect(error.description.contains(path))
            return problem
        }
    }

    @Test("A file that belongs to the user is read") func fileThatBelongsToTheUserIsRead() throws {
        let path = try folder.write("text", to: "file", mode: 0o600)
        #expect(try IdentityFile(role: .passwords, path: path).read() == Array("text".utf8))
        try folder.link("link", to: path)
        #expect(problem(folder.file("link")) == nil)
    }

    @Test(
        "A file that others can access is refused",
        arguments: [
            (0o604, ProtectedFileError.readableByOthers(.mode)), (0o602, .writableByOthers(.mode)),
        ])
    func fileThatOthersCanAccessIsRefused(mode: Int, expected: ProtectedFileError) throws {
        let path = try folder.write("text", to: "file", mode: mode)
        #expect(problem(path) == expected)
        #expect(problem(path, .certificateKey) == expected)
        let isWritable = expected == .writableByOthers(.mode)
        #expect(problem(path, .certificate) == (isWritable ? expected : nil))
    }

    @Test("A path that is not a regular file is refused")
    func pathThatIsNotARegularFileIsRefused() throws {
        #expect(problem(folder.path) == .notRegular)
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(problem(folder.file("pipe")) == .notRegular)
        #expect(problem("/dev/null") == .notRegular)
        guard case .unreadable(let missing) = problem(folder.file("none")) else {
            Issue.record("a file that is not there was read")
            return
        }
        #expect(missing.kind == .missing)
    }

    @Test("The message about a missing file says what to do")
    func messageAboutAMissingFileSaysWhatToDo() {
        let reason = ProtectedFileError.unreadable(SystemError(number: ENOENT))
        #expect(
            IdentityError.file(.passwords, path: "/p", reason).description
                == "The password file /p cannot be read: no such file or directory. "
                + "Create it: htpasswd -B -C 12 -c /p NAME")
        #expect(
            IdentityError.file(.tokenKey, path: "/k", reason).description
                == "The token key file /k cannot be read: no such file or directory. "
                + "Check the path and the permissions of the file and its folders.")
    }

    @Test("A file that is too long is refused") func fileThatIsTooLongIsRefused() throws {
        let limit = FileRole.tokenKey.limit
        let path = try folder.write([UInt8](repeating: 65, count: limit), to: "file", mode: 0o600)
        #expect(problem(path, .tokenKey) == nil)
        try folder.write([UInt8](repeating: 65, count: limit + 1), to: "file", mode: 0o600)
        #expect(problem(path, .tokenKey) == .tooLong(limit: limit))
    }
}
