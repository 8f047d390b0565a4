import CLibPQ
import Glibc

/// A connection of libpq, the only owner of its memory.
///
/// All calls block their thread, one thread at a time; ``LineBreaker`` is for other threads.
@safe final class LibPQConnection {
    enum Standing {
        case idle, busy, inTransaction, inFailedTransaction, gone
    }

    private let connection: OpaquePointer

    /// Connects; later parameters win over earlier ones, and `dbname` may be a whole URI.
    init(_ parameters: [(name: String, value: String)]) throws(PostgreSQLError) {
        guard let opened = unsafe Self.connect(parameters) else {
            throw PostgreSQLError(.other, message: "There is no memory for a connection.")
        }
        unsafe connection = opened
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard unsafe PQstatus(connection) != CONNECTION_OK else { return }
        let first = ConnectFault(words)
        guard first.isServers else { throw first.error }
        // libpq gives a server's error code only in its words and only on request, so the server is
        // asked again.
        unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        unsafe PQreset(connection)
        guard unsafe PQstatus(connection) == CONNECTION_OK else { throw ConnectFault(words).error }
        unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    }

    deinit {
        unsafe PQfinish(connection)
    }

    /// The effective parameters of a URI, of libpq's variables and of a service, without
    /// connecting.
    ///
    /// Empty if libpq refuses the URI, as with an unknown service.
    static func parameters(of uri: String) -> [ConnectionParameter] {
        // libpq only reveals a service's parameters on a connection. An invalid sslmode is refused
        // before it looks for a host.
        let refused = unsafe connect([("dbname", uri), ("sslmode", "-")])
        defer { unsafe PQfinish(refused) }
        guard let options = unsafe PQconninfo(refused) else { return [] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionParameter.all(options)
    }

    private static func connect(_ parameters: [(name: String, value: String)]) -> OpaquePointer? {
        unsafe withPointers(parameters.map(\.name)) { names in
            unsafe withPointers(parameters.map(\.value)) { values in
                unsafe PQconnectdbParams(names, values, 1)
            }
        }
    }

    /// As 150018 for 15.18.
    var serverVersion: Int { Int(unsafe PQserverVersion(connection)) }

    var isBroken: Bool { unsafe PQstatus(connection) != CONNECTION_OK }

    var standing: Standing {
        switch unsafe PQtransactionStatus(connection) {
        case PQTRANS_IDLE: .idle
        case PQTRANS_ACTIVE: .busy
        case PQTRANS_INTRANS: .inTransaction
        case PQTRANS_INERROR: .inFailedTransaction
        default: .gone
        }
    }

    /// Lets other threads end a call on this connection.
    func breaker() -> LineBreaker {
        unsafe LineBreaker(cancel: PQgetCancel(connection), socket: PQsocket(connection))
    }

    /// A setting that the server reports by itself, such as `server_encoding`.
    func report(_ name: String) -> String? {
        unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
    }

    /// The effective value of a parameter.
    func parameter(_ name: String) -> String? {
        guard let options = unsafe PQconninfo(connection) else { return nil }
        defer { unsafe PQconninfoFree(options) }
        return unsafe ConnectionParameter.all(options).first { $0.name == name }?.value
    }

    /// Runs statements without values; the result is the last one's.
    func execute(_ sql: String) -> LibPQResult? {
        unsafe result(PQexec(connection, sql))
    }

    func prepare(_ name: String, _ sql: String, _ types: [UInt32]) -> LibPQResult? {
        unsafe result(PQprepare(connection, name, sql, Int32(types.count), types))
    }

    func execute(prepared name: String, _ values: BoundValues) -> LibPQResult? {
        unsafe values.withPointers { pointers, lengths, formats in
            unsafe result(
                PQexecPrepared(
                    connection, name, Int32(values.types.count), pointers, lengths, formats, 1))
        }
    }

    /// Sends a statement whose rows then come one by one from ``next()``.
    func begin(prepared name: String, _ values: BoundValues) -> Bool {
        let isSent = unsafe values.withPointers { pointers, lengths, formats in
            unsafe PQsendQueryPrepared(
                connection, name, Int32(values.types.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { return false }
        return unsafe PQsetSingleRowMode(connection) == 1
    }

    /// nil: all results were read.
    func next() -> LibPQResult? {
        unsafe result(PQgetResult(connection))
    }

    /// Sends a piece of a copy; false: that is no longer possible.
    func copy(_ bytes: borrowing [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PQputCopyData(
                connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count)) == 1
        }
    }

    /// Ends a copy, or with a refusal has the server drop it; ``next()`` gives the result.
    func endCopy(_ refusal: String?) {
        // If it cannot be sent, the connection is broken, and the next result says so.
        _ = unsafe PQputCopyEnd(connection, refusal)
    }

    /// Reads what the server sent by itself, without waiting; false: the connection is broken.
    func takeIn() -> Bool {
        unsafe PQconsumeInput(connection) == 1
    }

    /// The channel of the next notification.
    func notification() -> String? {
        guard let note = unsafe PQnotifies(connection) else { return nil }
        defer { unsafe PQfreemem(note) }
        return unsafe String(cString: note.pointee.relname)
    }

    /// Waits until the server has sent something, or the connection has ended; false: timeout.
    func waitForInput(milliseconds: Int32) -> Bool {
        var watched = pollfd(
            fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // A signal counts as input: the caller looks, and waits again.
        return unsafe poll(&watched, 1, milliseconds) != 0
    }

    /// The error of a result, or of its absence.
    func fault(of result: LibPQResult?) -> PostgreSQLError {
        if let error = result?.serverError, !isBroken || error.kind == .shuttingDown {
            return error
        }
        let words = ConnectFault.readable(words).joined(separator: "; ")
        return PostgreSQLError(
            isBroken ? .lost : .other, sqlState: result?.serverError?.sqlState,
            message: words.isEmpty ? "The connection to the server broke." : words)
    }

    /// libpq's message about its last error.
    private var words: String {
        unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    }

    private func result(_ result: OpaquePointer?) -> LibPQResult? {
        unsafe result.map { unsafe LibPQResult($0) }
    }

    private static func withPointers<Value>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = unsafe texts.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let pointers = unsafe copies.map { unsafe UnsafePointer<CChar>($0) } + [nil]
        return unsafe body(pointers)
    }
}

/// Ends what a connection is doing, from any thread; it outlives the connection.
final class LineBreaker: Sendable {
    /// libpq's request as a number, since pointers are not Sendable; PQcancel is thread-safe.
    private let request: UInt
    /// A duplicate of the socket, so that its number is not reused.
    private let socket: Int32

    init(cancel: OpaquePointer?, socket: Int32) {
        request = UInt(bitPattern: cancel)
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    }

    deinit {
        unsafe PQfreeCancel(OpaquePointer(bitPattern: request))
        if socket >= 0 { close(socket) }
    }

    /// Asks the server to end the statement; blocks until it answers.
    func cancel() {
        guard let request = unsafe OpaquePointer(bitPattern: request) else { return }
        var words = [CChar](repeating: 0, count: 256)
        // A statement that cannot be cancelled ends by itself, or with its connection.
        _ = unsafe PQcancel(request, &words, Int32(words.count))
    }

    /// Ends the connection at once, for those who wait at it.
    func breakOff() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }
}
