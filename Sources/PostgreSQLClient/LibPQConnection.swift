import CLibPQ
import Glibc

/// A connection as libpq has it; the only place that holds its memory.
///
/// All calls block their thread, and only one thread may be in them; ``LineBreaker`` is for the others.
@safe final class LibPQConnection {
    enum Standing {
        case idle, busy, inTransaction, inFailedTransaction, gone
    }

    private let connection: OpaquePointer

    /// Connects; values that come later in the list count before earlier ones.
    ///
    /// - Parameter parameters: names and values; one with the name `dbname` may be a whole URI.
    /// - Throws: ``PostgreSQLError``, without a password.
    init(_ parameters: [(name: String, value: String)]) throws(PostgreSQLError) {
        guard let opened = unsafe Self.connect(parameters) else {
            throw PostgreSQLError(.other, message: "There is no memory for a connection.")
        }
        unsafe connection = opened
        unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard unsafe PQstatus(connection) != CONNECTION_OK else { return }
        let first = ConnectFault(words)
        guard first.isServers else { throw first.error }
        // libpq says a server's error code in its words alone, and only if it was asked to before; so the server is asked again.
        unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        unsafe PQreset(connection)
        guard unsafe PQstatus(connection) == CONNECTION_OK else { throw ConnectFault(words).error }
        unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    }

    deinit {
        unsafe PQfinish(connection)
    }

    /// What a connection to a URI is made with: its own parameters, those of libpq's variables, and those of the service that
    /// either names; nothing is connected to.
    ///
    /// - Returns: empty where libpq refuses the URI, as with a service that stands in no file.
    static func parameters(of uri: String) -> [ConnectionParameter] {
        // What libpq takes from the file of services it tells of connections alone. One with an sslmode that there is not is
        // refused before libpq looks for its host.
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

    /// The version, as 150018 for 15.18.
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

    /// What lets other threads end a call on this connection.
    func breaker() -> LineBreaker {
        unsafe LineBreaker(cancel: PQgetCancel(connection), socket: PQsocket(connection))
    }

    /// What the server says of a setting that it reports by itself, such as `server_encoding`.
    func report(_ name: String) -> String? {
        unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
    }

    /// The value that counts of a parameter, wherever libpq took it from.
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

    /// The next result of what was sent; nil: all results were read.
    func next() -> LibPQResult? {
        unsafe result(PQgetResult(connection))
    }

    /// Sends a piece of what is copied in; false: that is no longer possible.
    func copy(_ bytes: borrowing [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PQputCopyData(
                connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count)) == 1
        }
    }

    /// Ends what is copied in; ``next()`` tells what became of it.
    ///
    /// - Parameter refusal: why the server shall drop all of it; nil: it shall not.
    func endCopy(_ refusal: String?) {
        // When it cannot be sent, the connection is broken, and the next result says so.
        _ = unsafe PQputCopyEnd(connection, refusal)
    }

    /// Takes in what the server sent by itself, without waiting; false: the connection is broken.
    func takeIn() -> Bool {
        unsafe PQconsumeInput(connection) == 1
    }

    /// The next notification that was taken in: its channel.
    func notification() -> String? {
        guard let note = unsafe PQnotifies(connection) else { return nil }
        defer { unsafe PQfreemem(note) }
        return unsafe String(cString: note.pointee.relname)
    }

    /// Waits until the server has sent something, or the connection has ended; false: the time is over.
    func waitForInput(milliseconds: Int32) -> Bool {
        var watched = pollfd(
            fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // An interruption by a signal counts as something that came: who calls looks, and waits again.
        return unsafe poll(&watched, 1, milliseconds) != 0
    }

    /// The error that a result stands for, or the lack of one.
    func fault(of result: LibPQResult?) -> PostgreSQLError {
        if let error = result?.serverError, !isBroken || error.kind == .shuttingDown {
            return error
        }
        let words = ConnectFault.readable(words).joined(separator: "; ")
        return PostgreSQLError(
            isBroken ? .lost : .other, sqlState: result?.serverError?.sqlState,
            message: words.isEmpty ? "The connection to the server broke." : words)
    }

    /// libpq's own words about what failed last.
    private var words: String {
        unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
    }

    private func result(_ result: OpaquePointer?) -> LibPQResult? {
        unsafe result.map { unsafe LibPQResult($0) }
    }

    /// Lends texts as a list of C's that ends with a null.
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
    /// libpq's request, as a number, since pointers are not for several threads; this one may be (PQcancel).
    private let request: UInt
    /// A second descriptor of the socket, so that its number is nobody else's as long as this is there.
    private let socket: Int32

    init(cancel: OpaquePointer?, socket: Int32) {
        request = UInt(bitPattern: cancel)
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    }

    deinit {
        unsafe PQfreeCancel(OpaquePointer(bitPattern: request))
        if socket >= 0 { close(socket) }
    }

    /// Asks the server to end the statement; blocks as long as the server does not answer.
    func cancel() {
        guard let request = unsafe OpaquePointer(bitPattern: request) else { return }
        var words = [CChar](repeating: 0, count: 256)
        // What cannot be cancelled ends by itself, or with its connection.
        _ = unsafe PQcancel(request, &words, Int32(words.count))
    }

    /// Ends the connection for those who wait at it, at once.
    func breakOff() {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }
}
