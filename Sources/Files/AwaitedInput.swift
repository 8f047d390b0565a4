import Glibc
import SystemPackage

/// Input from a terminal, a pipe or a similar stream, for which a cancelled task stops waiting.
///
/// Other programs may have the stream open, so it is not made non-blocking, and no pending read is
/// left that would take later input.
package struct AwaitedInput: Sendable {
    /// The descriptor must stay open.
    let descriptor: Int32

    package static var standard: AwaitedInput { AwaitedInput(descriptor: STDIN_FILENO) }

    /// Waits for input and reads at most `limit` bytes; returns an empty array at the end.
    ///
    /// - Throws: ``SystemError``; `CancellationError` as soon as the task is cancelled.
    package func next(_ limit: Int) async throws -> [UInt8] {
        // If the stream is already closed, the bell could get its number, and this would wait for
        // the bell instead.
        guard fcntl(descriptor, F_GETFD) >= 0 else { throw SystemError.last }
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
            // Another program may have made the stream non-blocking and may have read first.
            guard [EINTR, EAGAIN].contains(errno) else { throw SystemError.last }
        }
    }

    /// Waits for input, the end or an error; returns false if the bell rings first.
    private func isReadable(before bell: Bell) throws(SystemError) -> Bool {
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

    /// The descriptor that becomes readable when the bell has rung.
    var descriptor: Int32 { reading.rawValue }

    init() throws(SystemError) {
        let ends = try SystemError.of { try FileDescriptor.pipe(options: .closeOnExec) }
        (reading, writing) = (ends.readEnd, ends.writeEnd)
    }

    deinit {
        close(reading.rawValue)
        close(writing.rawValue)
    }

    func ring() {
        var stroke: UInt8 = 0
        // This cannot fail, because an empty pipe whose read end is open always accepts a byte.
        _ = unsafe write(writing.rawValue, &stroke, 1)
    }
}
