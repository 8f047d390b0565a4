import NIOCore
import NIOHTTP1

final class ScriptedHubHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let record: HubRecord
    private let answersEarly: Bool
    private let script: ScriptedHub.Script
    private var request: ReceivedRequest?

    init(record: HubRecord, answersEarly: Bool, script: @escaping ScriptedHub.Script) {
        self.record = record
        self.answersEarly = answersEarly
        self.script = script
    }

    func channelActive(context: ChannelHandlerContext) {
        record.connect()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = ReceivedRequest(
                method: head.method.rawValue, uri: head.uri, headers: head.headers)
            if answersEarly { answerRequest(context) }
        case .body(let buffer):
            request?.body.append(contentsOf: buffer.readableBytesView)
        case .end:
            if !answersEarly { answerRequest(context) }
        }
    }

    private func answerRequest(_ context: ChannelHandlerContext) {
        guard let request else { return }
        let number = record.begin(request)
        let answer = script(number, request)
        guard let gate = answer.gate else { return self.answer(answer, context.channel) }
        let held = NIOLoopBound((self, context.channel), eventLoop: context.eventLoop)
        gate.whenOpen {
            held.eventLoop.execute { held.value.0.answer(answer, held.value.1) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ answer: ScriptedAnswer, _ channel: any Channel) {
        let record = record
        channel.eventLoop.scheduleTask(in: answer.delay) {
            if answer.closes || !answer.bytes.isEmpty { record.end() }
            let written = channel.writeAndFlush(ByteBuffer(bytes: answer.bytes))
            if !answer.drip.isEmpty {
                channel.eventLoop.scheduleRepeatedTask(
                    initialDelay: .milliseconds(20), delay: .milliseconds(20)
                ) { task in
                    guard channel.isActive else { return task.cancel() }
                    channel.writeAndFlush(ByteBuffer(bytes: answer.drip), promise: nil)
                }
            }
            if answer.closes { written.whenComplete { _ in channel.close(promise: nil) } }
        }
    }
}
