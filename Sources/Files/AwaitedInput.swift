import Glibc
import SystemPackage

/// A stream that is written as it is read, such as a terminal or a pipe; a wait for it ends with
/// the task.
///
/// Since others may have it open too, it is not made non-blocking, and no read is left behind that
/// would take later input.
package struct AwaitedInput: Sendable {
    /// It must stay open.
    let descriptor: Int32

    package static var standard: AwaitedInput { AwaitedInput(descriptor: STDIN_FILENO) }

    /// Waits for at most `limit` bytes, and reads those that are there; none at the end.
    ///
    /// - Throws: ``SystemFault``; `CancellationError` as soon as the task is cancelled.
    package func next(_ limit: Int) async throws -> [UInt8] {
        // If the stream is closed, the bell could get its number, and be waited for instead.
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw SystemFault.last }
        let bell = try Bell()
        return try await withTaskCancellationHandler {
            try await BlockingWork.run { try read(limit, until: bell) }
        } onCancel: {
            bell.ring()
        }
    }

    private func read(_ limit: Int, until bell: Bell) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        while true {
            guard try isReadable(before: bell) else { throw CancellationError() }
            let count = unsafe Glibc.read(descriptor, &buffer, limit)
            if count >= 0 { return Array(buffer[..<count]) }
            // Another program may have made the stream non-blocking, and have read first.
            guard [EINTR, EAGAIN].contains(errno) else { throw SystemFault.last }
        }
    }

    /// Waits for input, the end or an error; false when the bell rings first.
    private func isReadable(before bell: Bell) throws(SystemFault) -> Bool {
        var watched = [descriptor, bell.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while unsafe poll(&watched, nfds_t(watched.count), -1) < 0 {
            guard errno == EINTR else { throw .last }
        }
        return watched[1].revents == 0
    }
}

private final class Bell: Sendable {
    private let reading: FileDescriptor
    private let writing: FileDescriptor

    /// Readable once it has rung.
    var descriptor: Int32 { reading.rawValue }

    init() throws(SystemFault) {
        let ends = try SystemFault.of { try FileDescriptor.pipe(options: .closeOnExec) }
        (reading, writing) = (ends.readEnd, ends.writeEnd)
    }

    deinit {
        close(reading.rawValue)
        close(writing.rawValue)
    }

    func ring() {
        var stroke: UInt8 = 0
        // An empty pipe that this end keeps open always takes a byte.
        _ = unsafe write(writing.rawValue, &stroke, 1)
    }
}
