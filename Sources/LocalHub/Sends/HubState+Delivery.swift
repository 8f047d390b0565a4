extension HubState {
    /// Puts a push into the mailbox of every device that it is for.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - expression: which devices it is for; nil: all of its platform.
    mutating func deliver(_ push: ReceivedPush, to expression: TagExpression?) {
        let targets = registrations.registrations(matching: expression) {
            $0.platform == push.platform && $0.template == nil
        }
        counts.sends += 1
        if targets.isEmpty { counts.withoutTarget += 1 }
        var reached: Set<DeviceAddress> = []
        for target in targets where reached.insert(target.device).inserted {
            switch push.outcome {
            case .success: counts.arrived += 1
            case .invalidNotificationSize: counts.refused += 1
            }
            devices.deliver(push, to: target.device)
        }
    }
}
