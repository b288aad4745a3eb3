import Foundation

/// A lamp.
public final class Lamp<T>: Base, Light where T: Oil {
    var oil: Int = 0 {
        didSet { burn() }
    }

    /// Makes a lamp.
    ///
    /// - Parameter oil: how much
    public init(oil: Int) {
        self.oil = oil
    }

    @discardableResult
    func light(_ wick: String) async throws -> Bool
    {
        return true
    }

    class func make() -> Lamp { Lamp(oil: 1) }
}

extension Lamp: Codable {
    func encode() {}
}

protocol Light {
    func light(_ wick: String) -> Bool
}
