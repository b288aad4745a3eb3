# frozen_string_literal: true

# Lamps of all kinds.
module Lantern
  # A lamp.
  class Lamp < Base
    WICK = %w[a b].freeze

    # Lights it.
    #
    # @param wick [String] which one
    def light(wick: "def x")
      if wick
        puts <<~TEXT
          end
          def fake
        TEXT
      end
      @lit = true if wick =~ /end"/
    end

    def lit? = @lit

    class << self
      def build(n) ; new ; end
      def all
        []
      end
    end

    def self.count
      1
    end
  end
end
