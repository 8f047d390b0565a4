extension RegistrationIndex {
    /// A page of the registrations that may be among a set of places, in the order of their places.
    ///
    /// A registration never changes its place, so a listing misses none that was there all the time.
    ///
    /// - Parameters:
    ///   - candidates: where to look; nil: everywhere.
    ///   - start: the first place of the page.
    ///   - limit: the most registrations, at least 1.
    ///   - isListed: which registrations count.
    /// - Returns: the page.
    func page(
        of candidates: Set<Int>?, from start: Int, limit: Int,
        where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        guard start < endPlace else { return RegistrationPage(registrations: [], nextPlace: nil) }
        let places = start..<endPlace
        guard let candidates else { return page(through: places, limit: limit, where: isListed) }
        // Sorting costs all candidates; going through the places costs the gaps between a page's.
        if candidates.count * candidates.count / limit < endPlace / 8 {
            return page(
                through: candidates.filter { $0 >= start }.sorted(), limit: limit, where: isListed)
        }
        return page(
            through: places.lazy.filter(candidates.contains), limit: limit, where: isListed)
    }

    private func page(
        through places: some Sequence<Int>, limit: Int, where isListed: (Registration) -> Bool
    ) -> RegistrationPage {
        var found: [Registration] = []
        for place in places {
            guard let registration = self[place], isListed(registration) else { continue }
            // One more than fits shows that there is a next page, and where it begins.
            guard found.count < limit else {
                return RegistrationPage(registrations: found, nextPlace: place)
            }
            found.append(registration)
        }
        return RegistrationPage(registrations: found, nextPlace: nil)
    }
}
