package import Files

extension StoreError {
    package init(_ fault: SystemFault, at place: StorePlace) {
        if let limit = SystemLimit(errorNumber: fault.number) {
            self = .limit(place, limit)
            return
        }
        self =
            switch fault.kind {
            case .readOnly: .readOnly(place)
            case .diskFull: .diskFull(place)
            case .inputOutput: .inputOutput(place, code: Int(fault.number))
            case .denied:
                place.path.flatMap(SystemUser.denying).map { .ownedByAnother(place, $0) }
                    ?? .inaccessible(place, reason: fault.description)
            default: .inaccessible(place, reason: fault.description)
            }
    }
}

extension StorePlace {
    /// Makes calls to the system; a fault is thrown as a ``StoreError`` that names this place.
    package func access<Value>(
        _ calls: () throws(SystemFault) -> Value
    ) throws(StoreError) -> Value {
        do {
            return try calls()
        } catch {
            throw StoreError(error, at: self)
        }
    }
}
